// Shows one slide of a deck at a time: by keys, a clicker, buttons; names, radius, full screen.
// `root` holds the slides; `tell(page)` is called with the page that holds a slide's evidence.
function startDeck(root, start, tell) {
  const slides = [...root.querySelectorAll(".screen")];
  const deck = root.querySelector(".deck");
  const count = root.querySelector(".count");
  let at = Math.min(Math.max(start, 0), slides.length - 1);
  let anonymous = deck.dataset.anonymous === "yes";

  const show = (place) => {
    at = Math.min(Math.max(place, 0), slides.length - 1);
    slides.forEach((slide, k) => slide.classList.toggle("now", k === at));
    count.textContent = `${at + 1} / ${slides.length}`;
    deck.dataset.at = at;
  };
  const name = (hide) => {
    anonymous = hide;
    deck.dataset.anonymous = hide ? "yes" : "no";
    for (const part of root.querySelectorAll(".name"))
      part.textContent = hide ? part.dataset.alias : part.dataset.name;
    for (const button of root.querySelectorAll('[data-do="names"]'))
      button.textContent = hide ? "Show names (N)" : "Hide names (N)";
    for (const slide of slides)
      slide.querySelector("svg").setAttribute(
        "aria-label", hide ? slide.dataset.aliased : slide.dataset.named);
  };
  const full = () => {
    if (document.fullscreenElement) document.exitFullscreen();
    else deck.requestFullscreen?.();
  };
  const acts = {
    next: () => show(at + 1),
    previous: () => show(at - 1),
    names: () => name(!anonymous),
    full,
  };
  const keys = {
    ArrowRight: acts.next, ArrowDown: acts.next, PageDown: acts.next, " ": acts.next,
    Enter: acts.next, ArrowLeft: acts.previous, ArrowUp: acts.previous, PageUp: acts.previous,
    Backspace: acts.previous, Home: () => show(0), End: () => show(slides.length - 1),
    n: acts.names, N: acts.names, f: acts.full, F: acts.full,
  };
  const typing = (element) =>
    element?.matches?.("input:not([type=range]), textarea, select, [contenteditable=true]");
  const onKey = (event) => {
    const target = event.composedPath()[0];
    if (event.ctrlKey || event.metaKey || event.altKey || typing(target)) return;
    const slider = target?.type === "range";
    if (slider && /^(Arrow|Home|End)/.test(event.key)) return;
    if (event.key === "Enter" && target?.matches?.("a")) return;
    const pressed = target?.matches?.("button, summary, [role=button], [role=tab], [role=option]");
    if (pressed && (event.key === " " || event.key === "Enter")) return;
    const act = event.key === " " && event.shiftKey ? acts.previous : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const onClick = (event) => {
    const button = event.target.closest("[data-do]");
    if (button) {
      acts[button.dataset.do]();
      button.blur();
      return;
    }
    const evidence = event.target.closest(".evidence");
    if (evidence) tell(evidence.dataset.value);
  };
  const onInput = (event) => {
    if (event.target.type !== "range") return;
    const slide = event.target.closest(".screen");
    for (const step of slide.querySelectorAll(".step"))
      step.style.display = step.dataset.step === event.target.value ? "" : "none";
  };
  document.addEventListener("keydown", onKey);
  deck.addEventListener("click", onClick);
  deck.addEventListener("input", onInput);
  name(anonymous);
  show(at);
  return () => {
    document.removeEventListener("keydown", onKey);
    deck.removeEventListener("click", onClick);
    deck.removeEventListener("input", onInput);
  };
}
