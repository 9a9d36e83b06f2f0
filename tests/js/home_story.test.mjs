import assert from 'node:assert/strict';
import {test} from 'node:test';
import {between, held} from '../../attnviz/views/home/motion.js';
import {flow, scenes} from '../../attnviz/views/home/scenes.js';

const measure = (text, size) => 0.55 * size * text.length;
const TEXT = 'When Mary and John went to the store, John gave a drink to'.split(' ').map((text) => ({text, space: 1}));
const STEPS = ['word', 'arcs', 'row', 'score', 'adds', 'off'];
const weight = (query, key) => (key > query ? 0 : key === 1 && query > 1 ? 0.8 : 0.2 / Math.max(1, query));

const BARS = [{value: 3.2, name: '264 other heads'}, {value: -2, name: 'Head 24.5', isOwn: true}, {value: 0.1, name: 'rest'}];

function laid({w, h, seen = h, words = TEXT, steps = STEPS, list = BARS, likely = 7}) {
  const row = words.length - 1;
  return scenes({
    steps, words, isNext: true, row, key: 1, weight, products: [3, -1, 0.5, 2], scores: words.map((_, at) => (at === 1 ? 3.5 : 1)),
    candidates: likely, likeliest: 5, lines: 6, choiceHigh: 34, bars: list,
    room: {w, h, seen, k: 1, theme: 'light', measure},
  });
}

test('words are as large as fits in so many lines', () => {
  const one = flow(TEXT, {x0: 0, x1: 1200, y: 10, size: 60, lines: 1, leading: 1.4, measure});
  assert.equal(one.lines, 1);
  assert.ok(one.s < 60 && one.at(-1).x + one.at(-1).w <= 1200);
  const two = flow(TEXT, {x0: 0, x1: 300, y: 10, size: 30, lines: 4, leading: 1.4, measure});
  assert.ok(two.lines > 1 && two.lines <= 4 && Math.max(...two.map(({x, w}) => x + w)) <= 300);
});

test('the sentence and its candidates are in sight before anybody scrolls, at every size', () => {
  for (const [w, h, seen] of [[1376, 852, 616], [1302, 720, 483], [1856, 1032, 796], [390, 796, 400], [320, 796, 400]]) {
    const {words, shares, chances} = laid({w, h, seen});
    for (const [place] of words) assert.ok(place.y >= 100 && place.y + place.s * 1.2 <= seen && place.x >= 0, `${w}`);
    for (const [place] of shares.slice(0, 5)) assert.ok(place.o === 1 && place.y + place.s <= seen && place.x <= w, `${w} ${place.y}`);
    for (const [place] of chances) assert.ok(place.w > 60, `${w}`);
  }
});

test('a token that the model added is smaller than the words, and stands on their line', () => {
  const {words} = laid({w: 1376, h: 852, words: [{text: '<start>', space: 0, isAdded: true}, ...TEXT]});
  for (const scene of ['word', 'arcs', 'off'].map((step) => STEPS.indexOf(step))) {
    const [added, word] = words.map((places) => places[scene]);
    assert.ok(added.s < 0.6 * word.s && Math.abs(added.y + added.s - word.y - word.s) < 1e-6, STEPS[scene]);
  }
});

test('every scene stays in the stage', () => {
  for (const [w, h] of [[1376, 852], [1302, 720], [390, 796], [320, 600]])
    for (const [name, list] of Object.entries(laid({w, h})))
      for (const places of Array.isArray(list) && name !== 'arcs' && Array.isArray(list[0]) ? list : [])
        for (const {x, y, o, w: wide = 0, h: high = 0, at = 0} of places)
          if (o) assert.ok(x >= -1 && y >= 0 && x + (at ? 0 : wide) <= w + 1 && y + high <= h, `${name} at ${w}: ${x}, ${y}, ${wide}, ${high}`);
});

test('where heads are off the words are as large as the stage has room for, and nothing but the ways out is below them', () => {
  const at = STEPS.indexOf('off');
  const few = TEXT.slice(0, 5);
  for (const [w, h, ways] of [[1872, 1032, 92], [1440, 852, 64], [1302, 720, 64], [390, 796, 152]])
    for (const words of [few, TEXT]) {
      const {shares, line} = laid({w, h, words});
      const [first, last] = [shares[0][at], shares[5][at]];
      const end = last.y + last.s * 0.6 + line.high / 2;
      assert.ok(end > h - ways - 0.12 * h && end <= h - ways, `${w} ${words.length}: ${end} of ${h}`);
      assert.ok(first.s >= (w > 640 ? 24 : 18), `${w} ${first.s}`);
    }
});

test('bars of an encoder without some heads fill the stage down to the ways out, below a caption of five lines', () => {
  const steps = ['arcs', 'row', 'score', 'off'];
  const list = ['6.12', '6.6', '5.2', '1.6', '5.6', '3.10'].map((name, at) => ({value: 0.14 / (at + 1), name, isOwn: !at}));
  for (const [w, h, ways] of [[1872, 1032, 92], [390, 796, 152]]) {
    const {bars, barNames} = laid({w, h, steps, list, likely: 0});
    const last = bars.at(-1).at(-1);
    assert.ok(last.y + last.h > h - ways - 0.16 * h && last.y + last.h <= h - ways, `${w}: ${last.y + last.h} of ${h}`);
    assert.ok(barNames[0].at(-1).y >= (w > 640 ? 122 : 150), `${w}: ${barNames[0].at(-1).y}`);
  }
});

test('the weight of the story goes into the bar of its head, wherever that stands', () => {
  const {cells, bars} = laid({w: 1376, h: 852});
  const at = STEPS.indexOf('adds');
  const box = ({x, y, w, h}) => [x, y, w, h];
  assert.deepEqual(box(cells[1][at]), box(bars[1][at]));
});

test('on a narrow screen no name crosses the line from which bars go to both sides', () => {
  const list = [{value: 3.2, name: '264 other heads'}, {value: -0.3, name: 'Embedding and the rest'}, {value: -2, name: 'Head 24.5', isOwn: true}];
  for (const w of [390, 320]) {
    const {bars, barNames, barValues, zero} = laid({w, h: 796, list});
    const at = STEPS.indexOf('adds');
    list.forEach(({name}, one) => assert.ok(barNames[one][at].x + measure(name, barNames[one][at].s) < zero[at].x, `${w} ${name}`));
    assert.ok(barValues[0][at].x + measure('+3.20', barValues[0][at].s) <= w - 34 && bars[2][at].x > 16 && bars[0][at].w > 24, `${w}`);
    assert.ok(Math.abs(bars[0][at].w / bars[2][at].w - 1.6) < 1e-6);
  }
});

test('a bar is as long as its number, and those below zero go to the other side', () => {
  const {bars, zero} = laid({w: 1376, h: 852});
  const at = STEPS.indexOf('adds');
  const [up, down] = bars.map((places) => places[at]);
  assert.ok(Math.abs(up.w / down.w - 1.6) < 1e-6);
  assert.ok(Math.abs(up.x - zero[at].x - 0.5) < 1 && Math.abs(down.x + down.w - up.x) < 1e-6);
});

test('an encoder, whose first scene is the arcs, has its words in sight at once', () => {
  for (const [w, h, seen] of [[1302, 720, 470], [390, 796, 400]]) {
    const {words} = laid({w, h, seen, steps: ['arcs', 'row', 'score', 'off']});
    for (const [place] of words) assert.ok(place.y + place.s <= seen, `${w} ${place.y}`);
  }
});

test('an object is at its place in a whole scene, and comes late and goes early between two', () => {
  const places = [{x: 0, y: 0, o: 1}, {x: 100, y: 50, o: 0}];
  assert.deepEqual(between(places, 0), places[0]);
  assert.deepEqual(between(places, 1), places[1]);
  const half = between(places, 0.5);
  assert.ok(Math.abs(half.x - 50) < 1e-9 && half.o < 0.01);
  assert.ok(between([...places].reverse(), 0.5).o < 0.01);
});

test('a scene stays while the page is scrolled a little', () => {
  assert.deepEqual([0, 0.19, 1, 1.15, 1.85, 9, -3].map((at) => held(at, 5)), [0, 0, 1, 1, 2, 5, 0]);
  assert.ok(Math.abs(held(1.5, 5) - 1.5) < 1e-9);
});
