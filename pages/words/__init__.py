"""What several audiences read: values and states from below, said in the language of the page."""
