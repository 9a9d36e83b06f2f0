// An arrow from the middle of a circle. No DOM.

const BARB = 3.6; // px

/**
 * The path of an arrow from `middle` in the direction [across, up], of length 1.
 * @param {number[]} middle
 * @param {number[]} direction
 * @param {number} length px
 */
export function arrowFrom([x, y], [across, up], length, hasHead = true) {
  const [tipX, tipY] = [x + length * across, y - length * up];
  const barb = (side) => {
    const [backX, backY] = [-across - side * up * 0.6, -up + side * across * 0.6];
    return `M${tipX} ${tipY}l${backX * BARB} ${-backY * BARB}`;
  };
  return `M${x} ${y}L${tipX} ${tipY}${hasHead ? barb(1) + barb(-1) : ''}`;
}
