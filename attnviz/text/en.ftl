# English, the language the other two catalogues are checked against.
# A message named view-… is shown by the browser: its {$names} are filled there, so it may not choose plurals.

### Shell: title, navigation, language, size

shell-brand = AttnViz
shell-tagline = See attention being computed
nav-home = Home
nav-heads = Heads
nav-about = About
control-language = Language
control-size = Size
control-size-normal = Screen
control-size-projector = Projector
control-size-help = Projector makes all text and drawings larger, for reading from the back of a room.
control-link = Link to this screen
control-link-help = The link holds the sentence, model and selection. Whoever opens it sees what you see; the server’s access log may record the sentence.

### The sentence and the model

text-label = Sentence
text-placeholder = Type a sentence in English
text-help = Up to { $tokens } tokens. Press Enter to see its attention.
text-submit = Show attention
model-label = Model
model-size = { $layers } layers × { $heads } heads
unknown-tokens =
    { $total ->
        [one] { $unknown } of { $total } token is unknown to this model. It reads an unknown token as [UNK], so what it does here says little about the sentence.
       *[other]
        { $unknown ->
            [one] { $unknown } of { $total } tokens is unknown to this model. It reads that token as [UNK], so what it does here says little about the sentence.
           *[other] { $unknown } of { $total } tokens are unknown to this model. It reads each of them as [UNK], so what it does here says little about the sentence.
        }
    }
verified = Replayed weights match this run’s kernel within { $difference } on { $rows } rows.

### Examples: the sentence, and what to look for in it

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

### Home

home-title = See what each attention head looks at
home-intro = Type a sentence. { $model } reads it here, and every one of its { $n } attention heads shows where each token looks.
home-to-heads = Explore all heads
home-overview = All heads on this sentence

### Heads

heads-title = Heads

### Token table

token-table = Tokens
token-position = Position
token-piece = Piece
token-id = Id
token-span = Characters
token-bytes = Bytes
token-unknown = Unknown
token-word = Word
token-yes = yes
token-none = none

### About

about-title = About
about-models = Models
about-model = Model
about-revision = Revision
about-layers = Layers
about-heads = Heads per layer
about-parameters = Parameters
about-licence = Licence
about-source = Source
about-languages = Languages
about-max-tokens = Longest text, in tokens
about-probe = Largest difference at load
about-versions = Versions
about-package = Package
about-version = Version
about-limits = Limits in force
about-limit = Limit
about-value = Value
about-limits-characters = Characters in a sentence
about-limits-tokens = Tokens on a page
about-limits-cache = Memory for results
about-limits-models = Models allowed
about-not-proof = What attention does not prove
about-not-proof-text = Attention weights say how much of each token’s value a head mixes into its output. They do not say why the model decided something: a large weight on a token can carry a small value, later layers can undo it, and other weights can give the same output. Read a pattern as a description of what a head does on this sentence, and test it by changing the sentence.
about-numbers = Where the numbers come from
about-numbers-text = The model runs once with its fast kernel. The weights on the screen are replayed from the queries and keys of that same run, and every run compares a sample of rows with what the kernel returned.
about-privacy = Privacy
about-privacy-text = Sentences are read on this server and are not sent anywhere else. A shared link contains its sentence.

### Notices: a link or a choice that had to be corrected

notice-model = This server has no model named { $name }; showing { $shown } instead.
notice-layer = This model has { $n } layers; showing layer { $shown }.
notice-head = This model has { $n } heads in each layer; showing head { $shown }.
notice-token = This sentence has { $n } tokens; showing token { $shown }.
notice-last-good = The picture below is still the one of your last sentence.

### Errors: what happened, then what to do

error-title = This did not work
error-details = Technical details
error-retry = Try again
error-empty-text = There is no text yet. Type a sentence, or choose an example.
error-blank-text = The text has only spaces. Type at least one word.
error-too-long = { $n } tokens are too many: this page shows at most { $limit }. Shorten the text.
error-too-many-characters = { $n } characters are too many: this page reads at most { $limit }. Shorten the text.
error-control-characters = The text has control characters that cannot be shown. Remove them, or type the sentence again.
error-unknown-model = There is no model named { $name }. Choose one from the list.
error-model-not-allowed = The model { $name } is not allowed on this server. Choose one from the list.
error-model-missing = The files of { $name } are not on this machine. Run “make app” again to install them.
error-wrong-weights = The weights of { $name } are not the expected ones: their checksum differs. Nothing was loaded. Install them again.
error-busy =
    { $n ->
        [0] The server is busy. Try again in a few seconds.
        [one] The server is busy and { $n } person is waiting. Try again in a few seconds.
       *[other] The server is busy and { $n } people are waiting. Try again in a few seconds.
    }
error-trace-file = This file is not a trace that can be read. Save the trace again with this version.
error-internal = Something went wrong on the server, and the fault is ours. Try again; if it comes back, send the details below to whoever runs this server.

### view-kit: shared by every view

view-kit-loading = Computing…
view-kit-empty = There is nothing to draw yet. Type a sentence above.
view-kit-failed = This picture could not be drawn. Try again, or reload the page.
view-kit-retry = Try again
view-kit-legend = Weight
view-kit-list-separator = { ", " }
view-kit-unknown-token = unknown to this model
view-kit-special-token = added by the model
view-kit-keys = Keys
view-kit-close = Close
view-kit-continues-word = continues the word before it

### view-heads: the overview and the lines of one head

view-heads-overview = All heads, one row a layer
view-heads-model = { $layers } layers × { $heads } heads
view-heads-layer = Layer
view-heads-head = Head
view-heads-title = Layer { $layer }, head { $head }
view-heads-button = Layer { $layer } head { $head }
view-heads-lines = Lines from each token to the tokens it looks at
view-heads-from = from
view-heads-to = to
view-heads-reading = { $token } looks at { $list }
view-heads-reading-key = { $token } is looked at by { $list }
view-heads-share = { $token } { $percent }
view-heads-baseline = all tokens: { $token } { $percent }
view-heads-hint = Hover a token to isolate its row. Click to pin it.
view-heads-waiting = Fetching this head’s exact numbers…
view-heads-keys-move = Move through the grid of heads
view-heads-keys-token = Previous or next token
view-heads-keys-release = Release the token
view-heads-keys-list = This list
view-heads-reading-all = On average, all tokens look at { $list }
view-heads-floor = Lines of 1% and more
view-heads-largest = The { $shown } largest of { $total } weights in a row
view-heads-no-numbers = This file does not hold the exact numbers of this head.
