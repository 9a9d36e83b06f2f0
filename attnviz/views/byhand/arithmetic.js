// Attention in numbers that a pencil gets. Every number is a whole number of hundredths, and each step goes on with the
// number that is printed, so nothing is rounded twice and nothing is rounded unseen. No DOM.

export const HUNDRED = 100;
const MINUS = '\u2212';

/** The nearest whole number to a quotient; a half goes away from zero, as at school. */
const nearest = (dividend, divisor) => Math.sign(dividend) * Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor)) || 0;

const cut = (matrix, rows, columns) => matrix.slice(0, rows).map((row) => row.slice(0, columns));
const turned = (matrix) => matrix[0].map((_, at) => matrix.map((row) => row[at]));
/** Products of hundredths, so ten-thousandths. */
const dot = (row, column) => row.reduce((total, x, at) => total + x * column[at], 0);
const product = (left, right) => left.map((row) => turned(right).map((column) => nearest(dot(row, column), HUNDRED)));

/** √d as it is printed: 2, 1.41 or 1.73. */
export const rootOf = (d) => Math.round(Math.sqrt(d) * HUNDRED);

/** e to the power of a number that is not above 0. */
export const power = (x) => Math.round(Math.exp(x / HUNDRED) * HUNDRED);

/**
 * Every matrix of a sheet, by its name: E, P and X of the words, of each head what `head` makes, C, WO and Y where their
 * outputs are projected. A masked score is null.
 */
export function computed(sheet) {
  const {n, d, hasPositions, hasOutput} = sheet;
  const E = cut(sheet.X, n, d);
  const P = cut(sheet.P, n, d);
  const X = hasPositions ? E.map((row, i) => row.map((x, j) => x + P[i][j])) : E;
  const heads = sheet.heads.slice(0, sheet.count).map((weights) => head(sheet, X, weights));
  if (!hasOutput) return {E, P, X, heads};
  const C = X.map((_, row) => heads.flatMap(({O}) => O[row]));
  const WO = heads.flatMap((_, at) => cut(sheet.WO.slice(4 * at), d, d));
  return {E, P, X, heads, C, WO, Y: product(C, WO)};
}

function head({d, isMasked, isDivided}, X, weights) {
  const [WQ, WK, WV] = ['WQ', 'WK', 'WV'].map((name) => cut(weights[name], d, d));
  const [Q, K, V] = [WQ, WK, WV].map((W) => product(X, W));
  const KT = turned(K);
  const S = product(Q, KT);
  const D = S.map((row, i) => row.map((x, j) => (isMasked && j > i ? null : isDivided ? nearest(x * HUNDRED, rootOf(d)) : x)));
  const most = D.map((row) => Math.max(...row.filter((x) => x !== null)));
  const powers = D.map((row, i) => row.map((x) => (x === null ? 0 : power(x - most[i]))));
  const sums = powers.map((row) => row.reduce((total, x) => total + x, 0));
  const A = powers.map((row, i) => row.map((x) => nearest(x * HUNDRED, sums[i])));
  return {WQ, WK, WV, Q, K, V, KT, S, D, most, powers, sums, A, O: product(A, V)};
}

/** The last matrix of the sheet with nothing rounded on the way, in plain numbers: of one head, or of all. */
export function unrounded(sheet, all) {
  const plain = (matrix) => matrix.map((row) => row.map((x) => x / HUNDRED));
  const times = (left, right) => left.map((row) => turned(right).map((column) => dot(row, column)));
  const X = plain(all.X);
  const heads = all.heads.map(({WQ, WK, WV}) => {
    const [Q, K, V] = [WQ, WK, WV].map((W) => times(X, plain(W)));
    const scores = times(Q, turned(K)).map((row) => row.map((x) => (sheet.isDivided ? x / Math.sqrt(sheet.d) : x)));
    const A = scores.map((row, i) => shares(row, sheet.isMasked ? i + 1 : row.length));
    return times(A, V);
  });
  if (!all.Y) return {O: heads};
  return {O: heads, Y: times(X.map((_, row) => heads.flatMap((O) => O[row])), plain(all.WO))};
}

function shares(row, seen) {
  const most = Math.max(...row.slice(0, seen));
  const powers = row.map((x, at) => (at < seen ? Math.exp(x - most) : 0));
  const total = powers.reduce((sum, x) => sum + x, 0);
  return powers.map((x) => x / total);
}

/** Hundredths with so many decimals. */
export const written = (x, decimals) => (x === null ? `${MINUS}∞` : (x < 0 ? MINUS : '') + (Math.abs(x) / HUNDRED).toFixed(decimals));

/** The fewest decimals with which all of these hundredths are written exactly. */
export function decimalsOf(numbers) {
  const known = numbers.filter((x) => x !== null);
  return known.every((x) => x % HUNDRED === 0) ? 0 : known.every((x) => x % 10 === 0) ? 1 : 2;
}

const TWO = ['powers', 'sums', 'A', 'O', 'C', 'Y']; // rounded to two decimals, so they have two

/** The numbers of a matrix as they are printed. */
export function texts(name, matrix) {
  const decimals = TWO.includes(name) ? 2 : decimalsOf(matrix.flat());
  return matrix.map((row) => row.map((x) => (x === 0 && decimals < 2 ? '0' : written(x, decimals))));
}

/** A product of hundredths, exactly: ten-thousandths with the digits that it has, at least so many. */
export function writtenProduct(x, least = 0) {
  const size = Math.abs(x);
  const digits = [100_00, 10_00, 100, 10, 1].findIndex((unit) => size % unit === 0);
  return (x < 0 ? MINUS : '') + (size / 10_000).toFixed(Math.max(least, digits));
}

/** The row and the column that a cell of a product was made of; null of a matrix that is none. */
const FACTORS = {Q: ['X', 'WQ'], K: ['X', 'WK'], V: ['X', 'WV'], S: ['Q', 'KT'], O: ['A', 'V'], Y: ['C', 'WO']};

/** A cell of a product written out: its terms {left, right, product} as printed, and whether its sum is exact. */
export function writtenOut(all, at, {m, row, column}) {
  const here = {...all, ...all.heads[at]};
  const [left, right] = FACTORS[m];
  const [lefts, rights] = [texts(left, here[left])[row], texts(right, here[right]).map((line) => line[column])];
  const [a, b] = [here[left][row], here[right].map((line) => line[column])];
  const products = a.map((x, k) => x * b[k]);
  const total = products.reduce((sum, x) => sum + x, 0);
  const digits = Math.max(0, ...products.map((x) => (writtenProduct(x).split('.')[1] ?? '').length));
  const terms = products.map((x, k) => ({left: lefts[k], right: rights[k], product: x === 0 ? '0' : writtenProduct(x, digits)}));
  return {left, right, terms, total: writtenProduct(total), isExact: total % HUNDRED === 0, result: texts(m, here[m])[row][column]};
}

/** A weight written out: what is taken away, the powers of e, their sum, and the row's total as it is printed. */
export function weightWrittenOut({heads}, at, {row, column}) {
  const {D, most, powers, sums, A} = heads[at];
  const decimals = decimalsOf(D.flat());
  const terms = D[row].map((x, k) => ({
    left: x === null ? written(null, 0) : texts('D', D)[row][k],
    right: x === null ? written(null, 0) : x === most[row] ? '0' : written(x - most[row], decimals),
    product: x === null ? '0' : written(powers[row][k], 2),
  }));
  const total = A[row].reduce((sum, x) => sum + x, 0);
  return {
    terms, most: most[row] === 0 ? '0' : written(most[row], decimals), power: written(powers[row][column], 2), sum: written(sums[row], 2),
    result: texts('A', A)[row][column], total: written(total, 2), isWhole: total === HUNDRED, isMasked: D[row][column] === null,
  };
}

/** Whether a score is divided without rest; √d itself is exact where d is 4. */
export const isDivisionExact = ({d}, {S}, {row, column}) => rootOf(d) % HUNDRED === 0 && (S[row][column] * HUNDRED) % rootOf(d) === 0;

/** Each distance to the largest score of its row that occurs, with its power of e as it is printed, the nearest first. */
export function powersTable({heads}, at) {
  const {D, most} = heads[at];
  const distances = new Set(D.flatMap((row, i) => row.filter((x) => x !== null).map((x) => x - most[i])));
  const decimals = decimalsOf([...distances]);
  return [...distances].sort((a, b) => b - a).filter((x) => x).map((x) => [written(x, decimals), written(power(x), 2)]);
}
