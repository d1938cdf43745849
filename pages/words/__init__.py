"""Words for several audiences: values and states of the lower layers, in the language of the page."""
