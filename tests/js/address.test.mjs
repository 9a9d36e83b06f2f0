import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Address} from '../../attnviz/views/hosts/address.js';

/** A window with an address bar and a history, as far as an Address needs one. */
function browser(path) {
  const listeners = {};
  const window = {
    document: {baseURI: 'http://school.example/'},
    location: {},
    entries: [],
    at: -1,
    timers: [],
    addEventListener: (name, listener) => (listeners[name] = listener),
    navigation: {addEventListener: (name, listener) => (listeners[name] = listener)},
    setTimeout: (act) => window.timers.push(act),
    history: {
      state: null,
      pushState: (_state, _title, url) => isPushed(url) && go([...window.entries.slice(0, window.at + 1), url], window.at + 1),
      replaceState: (_state, _title, url) => go(window.entries.with(window.at, url), window.at),
    },
    back: () => {
      go(window.entries, window.at - 1);
      listeners.popstate();
    },
    press: (...path) => listeners.click?.({composedPath: () => path}),
    click: (path) => {
      window.press(...(path ? [{localName: 'a', href: `http://school.example${path}`, pathname: path}] : []));
      if (path) window.history.pushState(null, '', path);
    },
    settle: () => window.timers.splice(0).forEach((act) => act()),
  };
  const isPushed = (url) => {
    const event = {navigationType: 'push', destination: {url: `http://school.example${url}`, sameDocument: true}, isPrevented: false, preventDefault: () => (event.isPrevented = true)};
    listeners.navigate?.(event);
    return !event.isPrevented;
  };
  const go = (entries, at) => {
    if (window.at >= 0) listeners.currententrychange?.({from: {url: `http://school.example${window.location.href}`}});
    Object.assign(window, {entries, at});
    const [pathname, search = ''] = entries[at].split('?');
    window.location = {origin: 'http://school.example', pathname, search: search && `?${search}`, hash: '', href: entries[at]};
  };
  go([path], 0);
  return window;
}

function opened(path) {
  const window = browser(path);
  return {window, address: new Address(window)};
}

const asked = (text) => ({text, model: 'minilm', lang: 'en'});

test('what is asked first replaces the address, and another sentence makes an entry in the history', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  assert.deepEqual(window.entries, ['/heads?text=one&model=minilm&lang=en']);
  address.ask('heads', asked('two'), 0, ['head']);
  assert.equal(window.entries.length, 2);
  address.ask('heads', {...asked('two'), lang: 'zh-TW'}, 0, ['head']);
  assert.equal(window.entries.length, 2); // a language is no step back
  assert.match(window.location.href, /lang=zh-TW/);
});

test('what is picked is written at once, then not more often than a browser allows', () => {
  const {window, address} = opened('/heads?text=one');
  address.pick({head: '1'});
  assert.match(window.location.href, /head=1/);
  for (const head of ['2', '3', '4']) address.pick({head});
  assert.match(window.location.href, /head=1/);
  window.settle();
  assert.match(window.location.href, /head=4/);
  address.pick({head: '5'});
  address.pick({head: '6'});
  assert.match(address.href, /head=6/); // who copies the link gets what is seen
  assert.equal(window.entries.length, 1);
});

test('a page is being left from the press of a link to another one until that one has come, or something else is pressed', () => {
  const {window, address} = opened('/heads?text=one');
  const link = (path, rest) => ({localName: 'a', href: `http://school.example${path}`, pathname: path, ...rest});
  const isLeavingBy = (...path) => (window.press(...path), address.isLeaving);
  assert.equal(address.isLeaving, false);
  assert.equal(isLeavingBy(link('/step')), true);
  assert.equal(isLeavingBy(), false);
  assert.equal(isLeavingBy(link('/heads')), false);
  assert.equal(isLeavingBy(link('/step', {download: 'heads.csv'})), false);
  assert.equal(isLeavingBy({localName: 'a', href: 'https://elsewhere.example/step', pathname: '/step'}), false);
  window.click('/step');
  assert.equal(address.isLeaving, false);
  address.ask('step', asked('one'), 0, []);
  window.history.pushState(null, '', '/compare'); // where Python leads
  assert.equal(address.isLeaving, false);
  assert.equal(isLeavingBy(link('/about')), true);
  window.back();
  assert.equal(address.isLeaving, false);
  window.document.activeElement = link('/about'); // pressed while the page was coming
  assert.equal(new Address(window).isLeaving, true);
});

test('picks stay while the same is asked, and leave with another sentence', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  address.pick({head: '3'});
  address.ask('heads', asked('one'), 0, ['head']);
  assert.match(window.location.href, /head=3/);
  address.ask('heads', asked('two'), 0, ['head']);
  assert.doesNotMatch(window.location.href, /head=/);
});

test('names of nobody here stay in the address', () => {
  const {window, address} = opened('/heads?embed=true&text=one');
  address.ask('heads', asked('two'), 0, []);
  assert.match(window.location.href, /embed=true/);
});

test('after Back nothing is written that was asked before Python heard of it', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  address.ask('heads', asked('two'), 0, ['head']);
  address.pick({head: '7'});
  window.back();
  assert.equal(address.opened, 1);
  assert.match(address.query, /text=one/);
  address.ask('heads', asked('two'), 0, ['head']); // an answer that was under way
  assert.match(window.location.href, /text=one/);
  address.ask('heads', asked('one, corrected'), 1, ['head']);
  assert.match(window.location.href, /corrected/);
  assert.equal(window.entries.length, 2); // Forward still leads to the other sentence
});

test('a pick that was not yet written does not land on the page that Back leads to', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  address.ask('heads', asked('two'), 0, ['head']);
  address.pick({head: '1'});
  address.pick({head: '2'});
  window.back();
  window.settle();
  assert.doesNotMatch(window.location.href, /head=/);
});

test('Streamlit makes no entry of a page that Back and Forward passed, and a picture of it writes nothing', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, []);
  window.click('/step');
  address.ask('step', asked('one'), 0, []);
  window.click('/about');
  window.back();
  window.back();
  window.history.pushState({}, '', '/step'); // its run comes now
  address.pick({cell: '1'}, 'step');
  address.ask('heads', asked('one'), 2, []);
  assert.deepEqual([window.at, ...window.entries], [0, '/heads?text=one&model=minilm&lang=en', '/step?text=one&model=minilm&lang=en', '/about']);
  window.click('/about');
  assert.deepEqual(window.entries, ['/heads?text=one&model=minilm&lang=en', '/about']);
});

test('a server that was started anew has heard of nothing, and begins with the link as it is', () => {
  const {window, address} = opened('/heads');
  address.begin('first');
  address.ask('heads', asked('one'), 0, []);
  address.ask('heads', asked('two'), 0, []);
  window.back();
  address.begin('second');
  address.ask('heads', asked('one'), 0, []);
  assert.match(window.location.href, /text=one/);
});

test('a page that was left meanwhile writes nothing, and the one that is there makes no entry of its own', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  address.pick({head: '5'});
  window.click('/about');
  window.click('/heads'); // before About was heard
  address.ask('about', {lang: 'en'}, 0, []);
  assert.equal(window.location.href, '/heads');
  address.ask('heads', asked('one'), 0, ['head']);
  assert.equal(window.entries.length, 3);
  assert.equal(window.entries[2], '/heads?text=one&model=minilm&head=5&lang=en'); // which goes along
});

test('what was picked goes along to the other pages, as far as it is of what they ask', () => {
  const {window, address} = opened('/heads');
  address.ask('heads', asked('one'), 0, ['layer', 'head', 'token', 'filter']);
  address.pick({layer: '25', head: '5', token: '3', filter: 'words'});
  const come = (page, values) => {
    window.click(`/${page}`);
    const along = address.along(page, values);
    address.ask(page, values, 0, ['layer']);
    return along;
  };
  const here = {layer: '25', head: '5', token: '3'};
  assert.deepEqual(come('step', asked('one')), {text: 'one', model: 'minilm', ...here});
  assert.equal(window.location.href, '/step?text=one&model=minilm&layer=25&head=5&token=3&lang=en');
  assert.equal(address.along('step', asked('one')), null); // once
  assert.equal(come('train', {task: 'reverse', text: 'a b'}), null); // no model: its own layers and text are others
  assert.equal(window.location.href, '/train?task=reverse&text=a+b&from=text%3Done%26model%3Dminilm%26layer%3D25%26head%3D5%26token%3D3');
  assert.equal(come('lessons', {lesson: '1', ...asked('a lesson')}), null);
  assert.deepEqual(come('heads', asked('two')), {text: 'one', model: 'minilm', layer: '25', head: '5'}); // the token was of another text
  assert.deepEqual(come('compare', {...asked('two'), model: 'bert', model2: 'minilm'}), {text: 'two', model: 'minilm'});
  assert.equal(window.location.href, '/compare?text=two&model=bert&lang=en&model2=minilm');
  assert.deepEqual(come('heads', {...asked('two'), model: 'bert'}), {text: 'two', model: 'bert', model2: 'minilm'}); // carried through
  assert.equal(window.location.href, '/heads?text=two&model=bert&model2=minilm&lang=en');
});

test('a page that asks of no model carries in its link what the others ask, also where it is opened anew and gone back to', () => {
  const {window, address} = opened('/heads');
  const text = 'a & b = 50 % +\n猫';
  address.ask('heads', asked(text), 0, ['layer', 'head']);
  address.offer({layer: 24, head: 4});
  window.click('/lessons');
  address.ask('lessons', {lesson: '1', ...asked('a lesson')}, 0, ['layer']);
  const from = new URLSearchParams(window.location.search).get('from');
  assert.match(window.location.href, /^\/lessons\?.*%E7%8C%AB/); // a letter is written in three bytes and no more
  assert.deepEqual(Object.fromEntries(new URLSearchParams(from)), {model: 'minilm', text, layer: '25', head: '5'});
  address.ask('lessons', {lesson: '1', ...asked('another')}, 0, ['layer']);
  assert.equal(new URLSearchParams(window.location.search).get('from'), from);

  const anew = opened(window.location.href); // a reload, or a link that was sent
  anew.window.click('/step'); // before its own picture came
  assert.deepEqual(anew.address.along('step', asked(text)), {model: 'minilm', text, layer: '25', head: '5'});
  anew.address.ask('step', asked('two'), 0, ['layer', 'head']);
  assert.doesNotMatch(anew.window.location.href, /from=/); // it says so itself
  anew.window.back();
  anew.window.click('/heads');
  assert.equal(anew.address.along('heads', asked(text)).text, text);
});

test('the head that a page shows goes along where nobody picked another one of that text', () => {
  const {window, address} = opened('/');
  address.ask('', asked('one'), 0, ['scene', 'token']);
  address.offer({layer: 23, head: 4, token: 4});
  const come = (page, values) => {
    window.click(`/${page}`);
    return address.along(page, values);
  };
  const shown = {text: 'one', model: 'minilm', layer: '24', head: '5', token: '5'};
  assert.deepEqual(come('compare', asked('one')), shown);
  assert.deepEqual(come('step', asked('two')), {text: 'one', model: 'minilm', layer: '24', head: '5'});
  address.ask('step', asked('one'), 0, ['layer', 'head', 'token']);
  address.pick({layer: '3', head: '1', token: ''});
  assert.deepEqual(come('heads', asked('one')), {text: 'one', model: 'minilm', layer: '3', head: '1'}); // picked, without a row
});

test('on a page without a picture one that was still loading writes neither what it asks nor what is picked', () => {
  const {window, address} = opened('/lessons?lesson=1&step=1');
  address.begin(null, true);
  address.ask('lessons', {lesson: 'before', step: '', form: 'A'}, 0, null);
  address.ask('lessons', {lesson: '1', step: '1', form: ''}, 0, ['cell']);
  address.pick({cell: 'x~1~1~1'}, 'lessons');
  assert.equal(window.location.href, '/lessons?lesson=before&form=A');
  address.begin(null, false); // the next page has one
  address.ask('lessons', {lesson: '1', step: '1', form: ''}, 0, ['cell']);
  assert.equal(window.location.href, '/lessons?lesson=1&step=1');
});

test('a pick that waits is written as the page is left, and never into the address of another', () => {
  const {window, address} = opened('/heads?text=one');
  for (const head of ['1', '2']) address.pick({head});
  window.click('/about');
  window.settle();
  assert.deepEqual(window.entries, ['/heads?text=one&head=2', '/about']);
  for (const head of ['3', '4']) address.pick({head});
  window.history.pushState(null, '', '/step'); // by Python
  window.settle();
  assert.equal(window.location.href, '/step');
});

test('Back is to another page only where the address was one of another page', () => {
  const {window, address} = opened('/heads?text=one');
  window.click('/about'); // by Streamlit, before the page is there
  window.back();
  assert.equal(address.isOtherPage, true);
  address.ask('heads', asked('one'), 1, []);
  address.ask('heads', asked('two'), 1, []);
  window.back();
  assert.equal(address.isOtherPage, false);
});

test('who reads along hears of what is picked and asked, of Back, and of an entry that Streamlit makes', () => {
  const {window, address} = opened('/heads');
  let heard = 0;
  address.onSaid(() => (heard += 1));
  const hears = (act) => {
    const before = heard;
    act();
    assert.ok(heard > before);
  };
  hears(() => address.ask('heads', asked('one'), 0, ['head']));
  hears(() => address.pick({head: '2'}));
  hears(() => window.history.pushState(null, '', '/step'));
  hears(() => window.back());
  assert.ok(address.isSettling);
  hears(() => address.ask('heads', asked('one'), 1, ['head'])); // the same: yet the page has answered
  assert.ok(!address.isSettling);
});
