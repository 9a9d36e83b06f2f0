// The way of the story down the page: scrolling says how far it is, and a step is somewhere to scroll to.

import {isStill} from '../kit/theme.js';

const SCENE = 0.7; // of the window's height, scrolled from one scene to the next

const parentOf = (node) => node.parentElement ?? node.getRootNode().host ?? null;

/** The element that scrolls the page around a view. */
function scrollerOf(node) {
  for (let at = parentOf(node); at; at = parentOf(at)) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.scrollingElement;
}

export class Track {
  track; stage; scroller;
  scene = 1;

  /** `moved()` is called as the page is scrolled, `ended()` where it stands again; the stage is `position: sticky` in the track. */
  constructor(track, stage, signal, moved, ended) {
    Object.assign(this, {track, stage, scroller: scrollerOf(track)});
    const heard = this.scroller === document.scrollingElement ? document : this.scroller;
    heard.addEventListener('scroll', moved, {passive: true, signal});
    heard.addEventListener('scrollend', ended, {signal});
  }

  /** As long as `n` scenes take. */
  measure(n) {
    this.scene = SCENE * window.innerHeight;
    this.track.style.height = `${this.stage.clientHeight + (n - 1) * this.scene}px`;
  }

  /** Scenes scrolled past. */
  get at() {
    return (this.stage.getBoundingClientRect().top - this.track.getBoundingClientRect().top) / this.scene;
  }

  /** How much of the stage is in the window where nothing is scrolled. */
  get inSight() {
    const top = this.track.getBoundingClientRect().top + this.scroller.scrollTop;
    return Math.min(this.stage.clientHeight, window.innerHeight - top);
  }

  go(scene, isAtOnce = false) {
    const stuck = parseFloat(getComputedStyle(this.stage).top) || 0;
    const start = this.scroller.scrollTop + this.track.getBoundingClientRect().top - stuck;
    this.scroller.scrollTo({top: scene ? start + scene * this.scene : 0, behavior: isAtOnce || isStill() ? 'instant' : 'smooth'});
  }
}
