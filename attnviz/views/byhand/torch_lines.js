// The sheet as a PyTorch program: its numbers, and the lines of attention, which give the digits that are printed. No DOM.

import {HUNDRED, computed, decimalsOf, rootOf} from './arithmetic.js';

const plain = (x) => String(x / HUNDRED);
const tensor = (matrix) => `tensor([${matrix.map((row) => `[${row.map(plain).join(', ')}]`).join(', ')}])`;

/** @param {string} comment what the rounding is */
export function torchLines(sheet, comment) {
  const all = computed(sheet);
  const isWhole = decimalsOf([all.E, all.P, ...all.heads.flatMap(({WQ, WK, WV}) => [WQ, WK, WV])].flat(2)) === 0;
  const r = (code) => (isWhole ? code : `r(${code})`); // products of whole numbers need no rounding
  const root = plain(rootOf(sheet.d));
  const divided = sheet.isDivided ? `r(${r('Q @ K.T')} / ${root})` : r('Q @ K.T');
  const lines = [
    `Q, K, V = ${['W_Q', 'W_K', 'W_V'].map((W) => r(`X @ ${W}`)).join(', ')}`,
    `S = ${divided}${sheet.isMasked ? ` + torch.full((${sheet.n}, ${sheet.n}), -torch.inf).triu(1)` : ''}`,
    'E = r((S - S.amax(1, keepdim=True)).exp())',
    'A = r(E / E.sum(1, keepdim=True))',
  ];
  const {hasPositions, hasOutput} = sheet;
  const given = hasPositions ? [`X = ${tensor(all.E)}`, `X = X + ${tensor(all.P)}`] : [`X = ${tensor(all.E)}`];
  const weights = all.heads.map(({WQ, WK, WV}) => [WQ, WK, WV].map(tensor));
  const head = ['', 'tensor = lambda rows: torch.tensor(rows, dtype=torch.float64)', `r = lambda x: x.sign() * (x.abs() * 100 + 0.500000001).floor() / 100  # ${comment}`, ''];
  const body = hasOutput
    ? [
        `W = [${weights.map((three) => `(${three.join(',\n      ')})`).join(',\n     ')}]`, `W_O = ${tensor(all.WO)}`, '',
        'def head(W_Q, W_K, W_V):', ...[...lines, 'return r(A @ V)'].map((line) => `    ${line}`), '',
        'out = r(torch.cat([head(*three) for three in W], 1) @ W_O)',
      ]
    : [...['W_Q', 'W_K', 'W_V'].map((name, at) => `${name} = ${weights[0][at]}`), '', ...lines, 'out = r(A @ V)'];
  return ['import torch', ...head, ...given, ...body, 'print(out)', ''].join('\n');
}
