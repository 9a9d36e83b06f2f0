// Streamlit calls a component at each run of its page and keeps what the last call left to do at the end. Where a run came
// while the component's module was loading, it ends the earlier call as soon as that one has been made, and the later one
// may have been made by then: what is there is that one's.

const ends = new WeakMap(); // by the element of a component: what ends it

/** What a call in `parentElement` leaves to do at the end: nothing, once a later call was made there. */
export function atEnd({parentElement}, end) {
  ends.set(parentElement, end);
  return () => {
    if (ends.get(parentElement) === end) end();
  };
}
