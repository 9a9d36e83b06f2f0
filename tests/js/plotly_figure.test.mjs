import assert from 'node:assert/strict';
import {test} from 'node:test';
import {figureJson} from '../../attnviz/views/kit/plotly_figure.js';
import {tracesOf} from '../../attnviz/views/training/curves.js';

test('a figure has its numbers as they are, and text that plotly cannot read as mark-up', () => {
  const {data, layout} = JSON.parse(figureJson('<b>T</b>', {xaxis: {title: '$x$', domain: [0, 1]}}, [{name: 'a & b', x: [0, 1], y: [Math.fround(0.1), NaN], mode: 'lines'}]));
  assert.deepEqual(data, [{type: 'scatter', name: 'a &amp; b', x: [0, 1], y: [0.1, null], mode: 'lines'}]);
  assert.deepEqual(layout, {title: {text: '&lt;b&gt;T&lt;/b&gt;'}, xaxis: {title: {text: '&#36;x&#36;'}, domain: [0, 1]}});
});

test('each curve of a training is a line, and what is no loss lies on the lower axis', () => {
  const rows = [['A', 0, 'loss', '', 3], ['A', 10, 'loss', '', 1], ['A', 0, 'induction', '1.2', 0.25], ['B', 0, 'loss', '', 2]];
  const lines = tracesOf(rows).map(({name, x, y, yaxis}) => ({name, x, y, yaxis}));
  assert.deepEqual(lines, [
    {name: 'A · loss', x: [0, 10], y: [3, 1], yaxis: 'y'},
    {name: 'A · induction · 1.2', x: [0], y: [0.25], yaxis: 'y2'},
    {name: 'B · loss', x: [0], y: [2], yaxis: 'y'},
  ]);
});
