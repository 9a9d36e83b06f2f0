// Where the thumbnails of all heads go, in CSS pixels. `k` is 1 at normal size, 1.25 on a projector. No DOM.

const SMALLEST = 44; // px: easy to hit with a finger
const LEAST = 26; // px: beside the detail, where all heads are seen at once if their patterns can be told apart
const LARGEST = 168;
const BAND = 5; // lines in sight where the grid is zoomed into
const PACKED = {size: 8, gap: 3, captions: 16}; // px: the least, and the least that has its kind and bar below

/** Beside the detail every head is in sight, as large as they can be; of more than that, sorted or zoomed, the grid scrolls. */
export function gridPlace(room) {
  const place = roomy(room);
  return place.height <= room.height || room.isSorted || room.isZoomed ? place : (packed(room) ?? place);
}

/** All heads in one window: a layer a row, or a column where that leaves more; null where they would be smudges. */
function packed({width, height, layers, heads, k = 1}) {
  const gap = PACKED.gap * k;
  const top = 25 * k;
  const left = 44 * k; // says which way the layers go
  const laid = [false, true].flatMap((isAcross) => [19 * k, 0].map((below) => {
    const [columns, nRows] = isAcross ? [layers, heads] : [heads, layers];
    const size = Math.floor(Math.min((width - left) / columns - gap, (height - top) / nRows - below - gap, LARGEST * k));
    return {isAcross, below, columns, nRows, size};
  })).filter(({below, size}) => size >= (below ? PACKED.captions : PACKED.size) * k);
  if (!laid.length) return null;
  const captioned = laid.filter(({below}) => below);
  const best = (captioned.length ? captioned : laid).reduce((most, each) => (each.size > most.size ? each : most));
  const {size, below, columns, nRows} = best;
  const [column, row] = [Math.min((width - left) / columns, 1.4 * size + gap), Math.min((height - top) / nRows, size + below + 40 * k)];
  const at = (line, place) => ({x: left + place * column, y: top + line * row});
  return {...best, isPacked: true, lines: 1, isNamed: false, column, row, left, top, at, height: top + nRows * row};
}

/**
 * A line of the grid a layer, or several where one line would make them too small to hit. Sorted, zoomed or wrapped, heads are
 * named: the name takes the place of the bar, which lies over it; sorted, the number that sorts stands below the name where there is room. `height`
 * is Infinity where the page scrolls.
 */
function roomy({width, height, layers, heads, isSorted = false, isZoomed = false, k = 1}) {
  const inSight = (n) => (isZoomed ? Math.min(n, BAND) : n);
  const left = 22 * k;
  const gap = 7 * k;
  const smallest = Math.min(SMALLEST * k, width - left);
  const sizeFor = (columns) => Math.floor((width - left - (columns - 1) * gap) / columns);
  const areSeen = (number) => Number.isFinite(height) && Math.min(sizeFor(heads), (height - 25 * k) / layers - 29 * k - number) >= LEAST * k;
  const hasNumbers = isSorted && (areSeen(13 * k) || !areSeen(0)); // all heads in sight come first
  const number = hasNumbers ? 13 * k : 0;
  const areSeenAtOnce = !isZoomed && areSeen(number);
  let lines = 1;
  while (!areSeenAtOnce && lines < heads && sizeFor(Math.ceil(heads / lines)) < smallest) lines++;
  const fitting = Math.floor((width - left) / (smallest + gap + 4 * k));
  const columns = isSorted && !areSeenAtOnce ? Math.max(Math.ceil(heads / lines), fitting) : Math.ceil(heads / lines);
  const isWrapped = lines > 1;
  const isNamed = isWrapped || isSorted || isZoomed; // else the heads' numbers stand above the first line
  const top = (isNamed ? 6 : 25) * k;
  const below = (isNamed ? 24 : 19) * k + number;
  const nRows = isSorted ? Math.ceil((layers * heads) / columns) : layers * lines;
  const byHeight = Number.isFinite(height) ? Math.floor((height - top) / inSight(nRows) - below - 5 * k) : Infinity;
  const least = !isZoomed && byHeight >= LEAST * k ? LEAST * k : smallest;
  const size = Math.max(Math.min(least, sizeFor(columns)), Math.min(sizeFor(columns), byHeight, LARGEST * k));
  const column = Math.min(size + gap + 4 * k, (width - left) / columns);
  const apart = Number.isFinite(height) && !isWrapped ? 40 : 10;
  const even = Number.isFinite(height) ? (height - top) / inSight(nRows) : Infinity;
  const row = Math.max(size + below + 5 * k, Math.min(even, size + below + apart * k));
  const at = (line, place) => ({x: left + place * column, y: top + line * row});
  return {size, columns, lines, isNamed, isPacked: false, isAcross: false, isZoomed, hasNumbers, column, row, left, top, below, at, nRows, height: top + nRows * row};
}

/** Which lines lie in what is seen of the grid, and half as much above and below: [from, up to]. */
export function linesIn(place, from, height) {
  const line = (y) => Math.floor((y - place.top) / place.row);
  return [Math.max(0, line(from - height / 2)), Math.min(place.nRows, line(from + 1.5 * height) + 1)];
}
