// Formulas as MathML, from the line the table of steps has: "scores = raw/√d_k". No markup is parsed.

const MATH = 'http://www.w3.org/1998/Math/MathML';

function math(tag, attributes = {}, ...children) {
  const node = document.createElementNS(MATH, tag);
  for (const [name, value] of Object.entries(attributes)) if (value) node.setAttribute(name, value);
  node.append(...children.filter(Boolean));
  return node;
}

const LEXEME = /((?:(?!ᵀ)\p{L})+|[0-9]+(?:\.[0-9]+)?)((?:_(?:(?!ᵀ)[\p{L}\p{N}])+)?)(ᵀ?)|(√|[^\s])/gu;
const [LONG, LONGEST] = [22, 48]; // characters of a line above which it is set smaller, and smaller again
const BINDING = new Set(['/', '^']);
const BRACKETS = new Set('()[]');
const TALL = new Set('/√'); // what brackets grow with; the letters of some fonts alone are tall enough for that

/** "Q·Kᵀ" -> [{base: 'Q'}, {op: '·'}, {base: 'K', isTurned: true}]; what stands in brackets is one part. No DOM. */
export function lexemes(line) {
  const flat = [...line.matchAll(LEXEME)].map(([, base, lower, turned, op]) =>
    base === undefined ? {op} : {base, lower: lower.slice(1), isTurned: Boolean(turned)},
  );
  return grouped(flat, 0)[0];
}

function grouped(flat, from) {
  const parts = [];
  let at = from;
  for (; at < flat.length && flat[at].op !== ')'; at++) {
    if (flat[at].op !== '(') parts.push(flat[at]);
    else {
      const [group, end] = grouped(flat, at + 1);
      parts.push({group});
      at = end;
    }
  }
  return [parts, at];
}

const CLASSES = {Q: 'role-q', K: 'role-k', V: 'role-v'};
const PROCESSED = /^(rot|norm)\d*$/; // Q after a rotation or a norm
const operator = (op, isTall = false) => math('mo', {stretchy: isTall || !BRACKETS.has(op) ? null : 'false'}, op === '-' ? '−' : op);
const row = (nodes) => (nodes.length === 1 ? nodes[0] : math('mrow', {}, ...nodes));

function symbol({base, lower, isTurned}) {
  const text = (name) => math(/^[0-9]/.test(name) ? 'mn' : 'mi', {}, name);
  let node = text(base);
  if (lower) node = math('msub', {}, node, text(lower));
  if (isTurned) node = math('msup', {}, node, math('mi', {mathvariant: 'normal'}, 'T'));
  const role = CLASSES[PROCESSED.test(lower) ? base : lower || base];
  if (role) node.setAttribute('class', role);
  return node;
}

/** One part; brackets around what a root or a fraction holds together anyway are left out. */
function atom(part, isHeld = false) {
  if (part.op) return operator(part.op);
  if (!part.group) return symbol(part);
  const inside = built(part.group);
  const isTall = part.group.some(({op}) => TALL.has(op));
  return row(isHeld ? inside : [operator('(', isTall), ...inside, operator(')', isTall)]);
}

function built(parts) {
  const nodes = []; // [node, part]
  for (let at = 0; at < parts.length; at++) {
    const {op} = parts[at];
    const rooted = (from) =>
      parts[from]?.op === '√'
        ? [math('msqrt', {}, atom(parts[from + 1] ?? {op: ''}, true)), from + 1]
        : [atom(parts[from] ?? {op: ''}, true), from];
    const bound = BINDING.has(op) ? nodes.pop() : undefined;
    if (bound) {
      const [before, base] = bound;
      const [after, end] = rooted(at + 1);
      at = end;
      const held = op === '/' && base.group ? atom(base, true) : before;
      nodes.push([math(op === '/' ? 'mfrac' : 'msup', {}, held, after), {}]);
    } else if (op === '√') {
      const [node, end] = rooted(at);
      nodes.push([node, {}]);
      at = end;
    } else nodes.push([atom(parts[at]), parts[at]]);
  }
  return nodes.map(([node]) => node);
}

/** The line as MathML nodes; roots, powers and fractions are built up. */
const formulaNodes = (line) => built(lexemes(line));

/** How long a line is, in letters: a Han character is as wide as two. */
const lengthOf = (line) => [...line].reduce((all, c) => all + (c.codePointAt(0) > 0x2e80 ? 2 : 1), 0);

/**
 * A formula as its own element. `tree` is a line (or lines, with "; " between them), or the whole formula of a chain
 * as nested parts: {text, of} with the steps it belongs to, {over, under, of} for a fraction; the parts of `name` are lit.
 */
export function formula(tree, name = '') {
  const lines = typeof tree === 'string' ? tree.split('; ') : [];
  const nodes = lines.length ? underEachOther(lines) : tree.flatMap((part) => branch(part, name));
  const length = Math.max(0, ...lines.map(lengthOf));
  const mathsize = length > LONGEST ? '86%' : null;
  return math('math', {display: 'block', class: length > LONG ? 'long' : ''}, math('mrow', {mathsize}, ...nodes));
}

const underEachOther = (lines) =>
  lines.length === 1
    ? formulaNodes(lines[0])
    : [math('mtable', {}, ...lines.map((line) => math('mtr', {}, math('mtd', {}, ...formulaNodes(line)))))];

function branch(part, name) {
  if (part.over) {
    const row = (parts) => math('mrow', {}, ...parts.flatMap((one) => branch(one, name)));
    return [math('mfrac', {}, row(part.over), row(part.under))];
  }
  const isBracket = part.text === '(' || part.text === ')';
  const nodes = isBracket ? [operator(part.text, true)] : formulaNodes(part.text);
  return [math('mrow', {class: `part${part.of.includes(name) ? ' on' : ''}`}, ...nodes)];
}
