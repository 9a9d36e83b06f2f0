// The bar of a student in a class.

import {button, drafted, form, open, part, status} from './bar_parts.js';
import {sendOnEnter} from './enter_key.js';
import {question} from './room_question.js';
import {el} from '../kit/dom.js';

/** What a student has: all of it while they follow; over what they look at alone one line, until they ask for more. */
export function seat(place, now, say) {
  const {state, follows, kept, question: asked, isOver} = now;
  if (follows) place.isMore = false;
  const isWhole = follows || place.isMore;
  const isAsked = Boolean(asked) && (isWhole || !asked.revealed);
  const takes = isWhole && Boolean(state?.sentences);
  const isWriting = takes && place.opened === 'say';
  const more = () => {
    place.isMore = !place.isMore;
    place.draw();
  };
  const write = () => {
    open(place, 'say');
    place.root.querySelector('form textarea')?.focus();
  };
  const follow = () => {
    now.follow(true);
    place.parts.status.node.focus(); // the button is gone
  };
  return [
    part(place, 'question', isAsked && [asked, state.answer, asked.revealed || now.picked, now.isOfStep, isOver], () =>
      isOver ? over(place, asked, question(now, say)) : question(now, say)),
    status(place, now, say, say(now.isBehind ? 'view-room-behind' : follows ? 'view-room-following' : 'view-room-alone', {code: kept.code})),
    part(place, 'line', [follows, isWhole, takes, isWriting], () =>
      el('p', {class: 'line'},
        follows ? null : button(say('view-room-follow'), follow),
        follows ? null : button(say('view-room-more'), more, {'aria-expanded': place.isMore}),
        takes ? button(say('view-room-write'), write, {name: 'say', 'aria-expanded': isWriting}) : null,
        isWhole ? button(say('view-room-leave'), () => now.leave()) : null)),
    part(place, 'say', isWriting, () => drafted(now, sentence(place, now, say))),
  ];
}

/** A question that is over, in one line until it is opened. */
function over(place, asked, node) {
  return el('details', {toggle: () => place.draw()}, el('summary', {dir: 'auto'}, asked.text), node);
}

/** Where a student writes to the teacher; it folds away once the receipt was seen. */
function sentence(place, now, say) {
  const tell = async (text) => {
    const isTaken = await now.say({sentence: text});
    if (isTaken) now.draft = '';
    return isTaken;
  };
  const end = () => {
    const hasFocus = made.contains(place.root.getRootNode().activeElement);
    place.opened = '';
    place.draw();
    if (hasFocus) place.root.querySelector('[name=say]')?.focus();
  };
  const thanks = say('view-room-sent');
  const made = form(say('view-room-sentence'), say('view-room-send'), tell, {rows: 1, maxlength: 300, keydown: sendOnEnter}, thanks, end);
  return made;
}
