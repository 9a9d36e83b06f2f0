// A notebook's widget (anywidget): a frame with the page of the view. What is picked in it is `model.selection`, and a
// selection that Python sets is drawn.

export default {
  render({model, el}) {
    /** @type {any} */ const frame = document.createElement('iframe'); // its page finds what is put on it
    frame.title = model.get('title');
    Object.assign(frame.style, {width: '100%', height: `${model.get('height')}px`, border: '0'});
    let noted = JSON.stringify(model.get('selection'));
    frame.attnvizPicked = model.get('selection');
    frame.attnvizNoted = (selection) => {
      noted = JSON.stringify(selection);
      model.set('selection', selection);
      model.save_changes();
    };
    const take = () => {
      const selection = model.get('selection');
      if (JSON.stringify(selection) === noted) return;
      noted = JSON.stringify(selection);
      frame.attnvizPicked = selection; // for a page that is still loading
      frame.attnvizPick?.(selection);
    };
    model.on('change:selection', take);
    frame.srcdoc = model.get('page');
    el.append(frame);
    return () => model.off('change:selection', take);
  },
};
