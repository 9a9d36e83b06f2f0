// Whether arrows walk on over the heads: the first step is asked for at once, those that follow it soon wait until the last.

const SOON_MS = 700; // a key that is held begins to repeat within this in most systems

export class Walk {
  constructor() {
    this.last = -Infinity;
  }

  /** A step at this time, in milliseconds; whether it goes on from one just before it. */
  isOn(now) {
    const isOn = now - this.last < SOON_MS;
    this.last = now;
    return isOn;
  }
}
