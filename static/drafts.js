/* Keeps what somebody is typing into an unfolded form (a reason, a player, a card dealt in error) or as an insurance
   amount when the table's page is replaced: it is put into the same form of the new page, for the same hand, with
   the focus where it was. If the new page has no such form, the text is reported as not saved, and taps.js drops the
   keys that were meant for it. */
(() => {
  "use strict";
  // The fields that identify a form: a reason for hand 1 is none for hand 2.
  const SAME = ["do", "deal", "shoe", "mishap", "wrong", "seat"];
  const FIELDS = ":is(input:not([type=hidden]), textarea, select)";
  const all = (selector) => [...document.querySelectorAll(`#table ${selector}`)];
  const isBox = (field) => field.matches("[type=checkbox], [type=radio]");
  const isWritten = (field) => isBox(field) ? field.checked !== field.defaultChecked : !field.matches("select") && field.value.trim() !== "";
  const markOf = (form) => SAME.map((name) => form.querySelector(`input[name="${name}"]`)?.value || "").join();
  const folds = (place) => place.closest("details, dialog, .offer");
  const isUnfolded = (place) => Boolean(folds(place)) && !place.closest("details:not([open])");
  // An insurance amount: the box may have insured meanwhile, so that its field is gone.
  const isAmount = (field) => Boolean(field.closest(".offer"));
  // A sent form waits in the line and is not written a second time.
  const isOpen = (form) => form && !form.dataset.sent && form.querySelector('input[name="do"]');

  const chosenOf = (fields) => fields.filter((field) => field.matches("select") && field.value).map(({ selectedOptions: [option] }) => option.textContent.trim()).join(" ");

  /* A choice in a list is kept together with typed text; alone it is no draft. */
  function draftOf(form) {
    const active = document.activeElement, asks = form.closest("details.ask");
    const fields = [...form.elements].filter((field) => field.matches(FIELDS) && isUnfolded(field) && (field.matches("select") || isWritten(field)));
    const holds = active?.form === form && isUnfolded(active) ? active : null;
    const from = holds || fields.find(isWritten) || fields[0] || asks, label = from.matches(FIELDS) && isBox(from) && from.closest("label");
    const text = fields.find((field) => !isBox(field) && isWritten(field))?.value.trim() || chosenOf(fields);
    const word = (label || folds(from).querySelector("summary, legend") || form).textContent.trim();
    return {
      mark: markOf(form), asks: Boolean(asks), text, word: word + (text ? ` “${text}”` : ""), insures: fields.every(isAmount),
      fields: fields.map((field) => ({ name: field.name, value: field.value, checked: field.checked, amount: isAmount(field) })),
      focus: holds && { tag: holds.tagName, name: holds.name, value: holds.value, from: holds.selectionStart ?? null, to: holds.selectionEnd ?? null },
    };
  }

  /* Drafts of the forms that have typed text, hold the focus, or ask something. */
  function kept() {
    const active = document.activeElement, holding = active?.closest("#table") && isUnfolded(active) ? [active.form] : [];
    const written = all(`:is(:is(details, dialog)[open], .offer) ${FIELDS}`).filter((field) => isUnfolded(field) && isWritten(field)).map(({ form }) => form);
    return [...new Set([...written, ...holding, ...all("details.ask[open] form")])].filter(isOpen).map(draftOf);
  }

  function fieldOf(form, { name, value }) {
    const fields = [...form.elements].filter((field) => field.name === name && field.matches(FIELDS) && folds(field));
    if (fields[0]?.matches("select")) return [...fields[0].options].some((option) => option.value === value && !option.disabled) ? fields[0] : null;
    return fields.find((field) => !isBox(field) || field.value === value) || null;
  }

  const isHeld = ({ tag, name, value }) => (each) => each.tagName === tag && each.name === name && (tag !== "BUTTON" || each.value === value) && folds(each);

  /* A form fits only as a whole: a reason beside another player would be worse than none. */
  function placeOf(draft) {
    return all("form").find((form) => markOf(form) === draft.mark && (!draft.asks || form.closest("details.ask"))
      && draft.fields.every((field) => field.amount || fieldOf(form, field)) && (!draft.focus || [...form.elements].some(isHeld(draft.focus))));
  }

  function unfold(place) {
    for (let fold = folds(place); fold; fold = folds(fold.parentElement)) fold.open = true;
  }

  function write(draft, form) {
    for (const each of draft.fields) {
      const field = fieldOf(form, each);
      if (!field) continue;
      if (isBox(field)) field.checked = each.checked; else field.value = each.value;
      unfold(field);
    }
    if (draft.asks) unfold(form);
    if (!draft.focus) return;
    const held = [...form.elements].find(isHeld(draft.focus));
    unfold(held);
    held.focus({ preventScroll: true });
    if (draft.focus.from !== null) held.setSelectionRange(draft.focus.from, draft.focus.to);
  }

  /* Restore the drafts; returns those that have no form on the new page. */
  function restore(drafts) {
    return drafts.filter((draft) => {
      const form = placeOf(draft);
      if (form) write(draft, form);
      return !form;
    });
  }

  /* Keep a sent form in case it is refused; without the focus, so that no key sends it again. */
  function sent(form, button) {
    const draft = button && isUnfolded(button) && [...form.elements].some((field) => field.matches(FIELDS) && isUnfolded(field)) ? { ...draftOf(form), focus: null } : null;
    form.dataset.sent = "1";
    if (draft && isAmount(button)) draft.text = button.value.endsWith(":typed") ? button.closest(".offer").querySelector("input").value.trim() : "";
    return draft;
  }

  addEventListener("input", ({ target }) => { delete target.form?.dataset.sent; }, true);
  globalThis.cutlineDrafts = { kept, restore, sent };
})();
