// What scrolls the conversation, and what it must not: the button to the end, the height of the
// field, the first words of an answer.

/// Height in pixels of the words of an answer that are in view when it comes: three lines.
const kRoomForWords = 76;

/// Shows the scroll button while the end of the last answer is below the window.
export function watchEnd({ parts, scroller }) {
  return new IntersectionObserver(
    ([entry]) => {
      const below = entry.boundingClientRect.top > (entry.rootBounds?.bottom ?? innerHeight);
      parts.jump.hidden = entry.isIntersecting || !below;
    },
    { root: scroller, rootMargin: "0px 0px -72px 0px" },
  );
}

export function watchComposer(chat) {
  new ResizeObserver(() => measureComposer(chat)).observe(chat.parts.composer);
}

/// Sets how much of the window the field covers, for the layout.
export function measureComposer({ parts: { composer }, scroller }) {
  const frame = scroller ?? document.documentElement;
  frame.style.setProperty("--composer", `${composer.parentElement.offsetHeight}px`);
}

/// Notes that the reader moves through the conversation: from then on nothing else scrolls it.
export function watchReader(chat) {
  const moved = () => {
    chat.readerMoved = true;
  };
  for (const type of ["wheel", "touchmove", "keydown"]) {
    chat.parts.log.addEventListener(type, moved, { passive: true });
  }
}

/// Brings the first words of an answer into view where the products above it leave no room for
/// kRoomForWords of them. Once for an answer, and never against the reader.
export function showFirstWords({ parts, scroller, readerMoved }, { element, text }) {
  if (readerMoved) return;
  const frame = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const { top } = element.getBoundingClientRect();
  const { scrollPaddingBlockStart } = getComputedStyle(scroller ?? document.documentElement);
  const begin = frame.top + (parseFloat(scrollPaddingBlockStart) || 0);
  const end = frame.bottom - parts.composer.parentElement.offsetHeight;
  // Where the words are once the turn is at the top: its smooth scrolling may not have ended.
  const below = text.getBoundingClientRect().top - top;
  if (begin + below + kRoomForWords <= end) return;
  const target = begin + (end - begin) * 0.65;
  (scroller ?? window).scrollBy({ top: top + below - target });
}
