import assert from 'node:assert/strict';
import {test} from 'node:test';
import * as colour from '../../attnviz/views/kit/colour.js';

const hex = (rgb) => `#${rgb.map((c) => c.toString(16).padStart(2, '0')).join('').toUpperCase()}`;
const STOPS = [0, 0.12, 0.35, 0.6, 0.8, 1];

test('the ramps pass through the colours of the design', () => {
  const expected = {
    light: ['#F6F7F7', '#E0EBF5', '#A6C9E7', '#559ACF', '#2267A7', '#0A3866'],
    dark: ['#1B2027', '#1C3047', '#1F5081', '#3B86CB', '#86BFF0', '#E4F2FF'],
  };
  for (const theme of ['light', 'dark'])
    assert.deepEqual(STOPS.map((x) => hex(colour.sequential(x, theme))), expected[theme]);
});

test('the negative arm is orange with the same stops', () => {
  const expected = {
    light: ['#FBE6D4', '#F4BE8E', '#DE8038', '#B34E0C', '#6E2A00'],
    dark: ['#3A2716', '#6B3D14', '#BC691F', '#F0A45C', '#FFE6CE'],
  };
  for (const theme of ['light', 'dark'])
    assert.deepEqual(STOPS.slice(1).map((x) => hex(colour.diverging(-x, theme))), expected[theme]);
});

test('zero is the same paper on both arms, and values outside are clamped', () => {
  assert.deepEqual(colour.diverging(0, 'light'), colour.diverging(-0, 'light'));
  assert.deepEqual(colour.sequential(7, 'dark'), colour.sequential(1, 'dark'));
  assert.deepEqual(colour.sequential(-1, 'dark'), colour.sequential(0, 'dark'));
  assert.deepEqual(colour.sequential(NaN, 'dark'), colour.sequential(0, 'dark'));
});

test('a weight is coloured by its square root', () => {
  assert.deepEqual(colour.weightColour(0.36, 'light'), colour.sequential(0.6, 'light'));
});

test('a signed number is symmetric about zero', () => {
  assert.equal(colour.signedPosition(-3, 3), -1);
  assert.equal(colour.signedPosition(0, 3), 0);
  assert.ok(Math.abs(colour.signedPosition(1, 2) - 0.5 ** 0.8) < 1e-12);
  assert.equal(colour.signedPosition(1, 0), 0);
});

test('text on every fill of the ramps keeps a contrast of at least 4.5', () => {
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const ink = {'#1A1C20': colour.luminance([0x1a, 0x1c, 0x20]), '#FFFFFF': 1, '#000000': 0};
  for (const theme of ['light', 'dark'])
    for (let x = -1; x <= 1; x += 0.002) {
      const fill = colour.diverging(x, theme);
      const contrast = ratio(colour.luminance(fill), ink[colour.textOn(fill)]);
      assert.ok(contrast >= 4.5, `${theme} ${x.toFixed(3)}: ${contrast.toFixed(2)}`);
    }
});

test('the table holds the colour of each byte that travels', () => {
  const bytes = new Uint8Array(colour.tableOf('weights', 'light').buffer);
  for (const i of [0, 31, 153, 255])
    assert.deepEqual([...bytes.slice(4 * i, 4 * i + 4)], [...colour.sequential(i / 255, 'light'), 255]);
});
