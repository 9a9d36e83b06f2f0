import {test} from 'node:test';
import assert from 'node:assert/strict';
import {countedOf, itemOf, rowsOf, shareOf, sumOf, totalsIn} from '../../attnviz/views/hosts/short_test.js';
import {toCsv} from '../../attnviz/views/kit/spreadsheet.js';

const items = (right) => Array.from({length: 8}, () => ({ask: '=1, "or" …', options: ['a', 'b', 'c'], right}));
const forms = {A: items(0), B: items(2)};
const counts = (...ofItem) => ({counts: Array.from({length: 8}, () => ofItem), scores: [...Array(8).fill(ofItem[0]), 8 * ofItem[0], 64 * ofItem[0]]});
const totals = {'before A': counts(3, 2, 1, 4), 'before B': counts(0, 0, 5, 5), 'after B': counts(1, 0, 9, 0)};

test('the share of right answers is that of all forms of a time together', () => {
  assert.deepEqual(shareOf(totals, forms, 'before', 0), {right: 8, n: 20});
  assert.deepEqual(shareOf(totals, forms, 'after', 7), {right: 9, n: 10});
  assert.deepEqual(shareOf({}, forms, 'after', 7), {right: 0, n: 0});
});

test('a figure is drawn from how many had each item right, before and after, of all forms, and from none where none are shown', () => {
  const say = (id, values = {}) => `${id} ${Object.values(values).join(' ')}`.trim();
  const {answers, groups} = countedOf(totals, forms, say);
  assert.deepEqual(groups.map(({n, counts}) => [n, counts]), [[20, Array(8).fill(8)], [10, Array(8).fill(9)]]);
  assert.equal(groups[0].name, 'view-test-group view-test-time-before A B 20 40%');
  assert.equal(answers[7], '8 view-test-about-observation');
  assert.equal(countedOf({}, forms, say), null);
});

test('totals of two classes add up, and the same ones count once however often they are added', () => {
  const other = {'before A': counts(1, 1, 1, 0), 'after A': counts(4, 0, 0, 1)};
  const sum = {'before A': counts(4, 3, 2, 4), 'before B': counts(0, 0, 5, 5), 'after B': counts(1, 0, 9, 0), 'after A': counts(4, 0, 0, 1)};
  assert.deepEqual(sumOf([totals, other]), sum);
  assert.deepEqual(sumOf([totals, other, structuredClone(totals), {'after A': counts(4, 0, 0, 1)}]), sum);
  assert.deepEqual(sumOf([]), {});
});

test('saved totals are read back, also as a spreadsheet saves them, and nothing else is taken for some', () => {
  const csv = toCsv(rowsOf(totals, forms, 'not known'));
  assert.match(csv, /^test,form,item,choice,right,answers,points_of_right,points,points_squared,difficulty,discrimination,question,option\r\n/);
  assert.match(csv, /^before,A,row-sum,4,0,4,3,24,192,0.3000,-0.3612,.*,not known\r$/m);
  assert.deepEqual(totalsIn(csv), totals);
  assert.deepEqual(totalsIn(csv.replace(/,(?=.*,.*,)/g, ';')), totals);
  assert.deepEqual(totalsIn('before,A,1,1,0,3,x\nbefore,C,row-sum,1,0,3,x\nafter,A,row-sum,1,0,-3,x\n__proto__'), {});
});

/** Answer sheets as a room counts them; of each, which items were right. */
function totalOf(papers) {
  const scores = papers.map((paper) => paper.filter(Boolean).length);
  const add = (numbers) => numbers.reduce((a, b) => a + b, 0);
  return {
    counts: Array.from({length: 8}, (_, item) => [papers.filter((paper) => paper[item]).length, papers.filter((paper) => !paper[item]).length, 0, 0]),
    scores: [...Array.from({length: 8}, (_, item) => add(scores.filter((_, at) => papers[at][item]))), add(scores), add(scores.map((score) => score * score))],
  };
}

test('difficulty and discrimination are those of the answer sheets, item by item', () => {
  const papers = Array.from({length: 23}, (_, at) => Array.from({length: 8}, (_, item) => (at * 7 + item * 5 + ((at * at) % 11)) % 13 > 4 + item / 2));
  const total = totalOf(papers);
  for (let item = 0; item < 8; item++) {
    const x = papers.map((paper) => Number(paper[item]));
    const rest = papers.map((paper) => paper.filter((isRight, at) => isRight && at !== item).length);
    const [mx, mr] = [x, rest].map((all) => all.reduce((a, b) => a + b, 0) / all.length);
    const about = (a, ma, b, mb) => a.reduce((so, one, at) => so + (one - ma) * (b[at] - mb), 0);
    const expected = about(x, mx, rest, mr) / Math.sqrt(about(x, mx, x, mx) * about(rest, mr, rest, mr));
    const told = itemOf(total, item, 0);
    assert.ok(Math.abs(told.difficulty - mx) < 1e-12 && Math.abs(told.discrimination - expected) < 1e-12, `${item}`);
    assert.equal(told.n, 23);
  }
});

test('an item that all had right, and totals of which no scores are known, have no discrimination', () => {
  const total = totalOf(Array.from({length: 6}, (_, at) => Array.from({length: 8}, (_, item) => item === 0 || at % 2 === 0)));
  assert.equal(itemOf(total, 0, 0).discrimination, null);
  assert.equal(itemOf({...total, scores: null}, 1, 0).discrimination, null);
  const old = totalsIn('before,A,row-sum,1,1,3,"Question, 1",a\nbefore,A,row-sum,2,0,2,"Question, 1",b');
  assert.deepEqual([old['before A'].counts[0], old['before A'].scores], [[3, 2, 0, 0], null]);
  assert.equal(sumOf([old, {'before A': total}])['before A'].scores, null);
});
