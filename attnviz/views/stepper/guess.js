// Predict, then reveal: a result stays hidden until the reader has guessed; which guess was right, the run itself says. No DOM.

export class Guess {
  constructor() {
    this.made = new Map(); // by the step's name: {guess: [row, column] or null, answer: [row, column], isRight}
  }

  /** Another run or another lesson: nothing has been guessed. */
  forget() {
    this.made.clear();
  }

  /** The question that still hides a step's result, null where there is none. */
  pending(step) {
    return step.question && !this.made.has(step.name) ? step.question : null;
  }

  /** The step whose guess is open and that a step follows from; null where none is. One that asks for itself is shown
   * what goes in, and so is what follows from it once it is guessed. */
  before(steps, index) {
    if (steps[index].question) return null;
    for (const at of steps[index].follows) {
      const open = this.pending(steps[at]) ? steps[at] : this.before(steps, at);
      if (open) return open;
    }
    return null;
  }

  /** Take a guess; false where the cell is in another row than was asked about. */
  take(step, row, column) {
    const {question} = step;
    if (question.row !== null && question.row !== row) return false;
    const isRight = question.answers.some(([i, j]) => i === row && j === column);
    const answer = isRight ? [row, column] : question.answers[0];
    this.made.set(step.name, {guess: [row, column], answer, isRight});
    return true;
  }

  /** Let a step show its answer to somebody who does not guess: where it is. */
  giveUp({name, question}) {
    const [answer] = question.answers;
    this.made.set(name, {guess: null, answer, isRight: false});
    return answer;
  }

  /** What was guessed, as a link says it: "weights~3~2", places counted from 1; "raw" where the answer was shown. */
  get said() {
    return [...this.made].map(([name, {guess}]) => [name, ...(guess ?? []).map((at) => at + 1)].join('~')).join('_');
  }

  /** Take over what a link says was guessed in these steps. */
  recall(steps, said) {
    for (const one of said.split('_')) {
      const [name, row, column] = one.split('~');
      const step = steps.find((one) => one.name === name && one.question);
      if (step && row && column) this.take(step, Number(row) - 1, Number(column) - 1);
      else if (step) this.giveUp(step);
    }
  }

  /** What a guess was worth, at the cell that was guessed and at the answer; null before it and at any other cell. */
  verdict(step, row, column) {
    const made = this.made.get(step.name);
    const isAt = ([i, j]) => i === row && j === column;
    return made?.guess && (isAt(made.guess) || isAt(made.answer)) ? made : null;
  }
}
