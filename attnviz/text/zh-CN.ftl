# 简体中文（中国大陆）。术语以 docs/glossary.md 为准。

### 页面框架：名称、导航、语言、字号

shell-brand = AttnViz
shell-tagline = 看注意力怎样一步步算出来
nav-home = 首页
nav-heads = 注意力头
nav-about = 关于
control-language = 语言
control-size = 字号
control-size-normal = 屏幕
control-size-projector = 投影
control-size-help = 投影字号会放大全部文字和图形，坐在教室后排也能看清。
control-link = 本页链接
control-link-help = 链接中含有句子、模型和当前选择，对方打开后看到的画面与您的相同；服务器的访问日志可能会记下这个句子。

### 句子与模型

text-label = 句子
text-placeholder = 输入一个英文句子
text-help = 最多 { $tokens } 个词元。按回车键查看注意力。
text-submit = 查看注意力
model-label = 模型
model-size = { $layers } 层 × { $heads } 头
unknown-tokens = { $total } 个词元中有 { $unknown } 个是这个模型不认识的。模型把它们一律读作 [UNK]，因此下面的结果几乎不能说明这个句子。
verified = 重算的权重与本次运行的内核结果相差不超过 { $difference }（核对了 { $rows } 行）。

### 示例：句子，以及看什么

example-label = 示例
example-pronoun = 代词：“it” 关注哪个词
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
home-intro = 输入一个句子，{ $model } 就在这里读它；模型的 { $n } 个注意力头会逐一显示每个词元关注哪里。
home-to-heads = 浏览全部注意力头
home-overview = 这个句子上的全部注意力头

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
token-word = 词
token-yes = 是
token-none = 无

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
about-max-tokens = 最长文本（词元数）
about-probe = 加载时测得的最大差异
about-versions = 版本
about-package = 软件包
about-version = 版本号
about-limits = 当前生效的限制
about-limit = 限制
about-value = 数值
about-limits-characters = 每个句子的字符数
about-limits-tokens = 每页的词元数
about-limits-cache = 结果可占用的内存
about-limits-models = 允许使用的模型
about-not-proof = 注意力不能证明什么
about-not-proof-text = 注意力权重表示一个头把每个词元的值按多大比例混入自己的输出。它并不说明模型为什么做出某个判断：权重很大的词元，值可能很小；后面的层可能把它抵消；换一组权重也可能得到相同的输出。请把看到的规律当作“这个头在这个句子上做了什么”的描述，并通过改动句子来检验它。
about-numbers = 这些数字从哪里来
about-numbers-text = 模型用自带的快速内核运行一次。屏幕上的权重由这次运行的查询和键重算得到；每次运行都会抽取若干行，与内核返回的结果核对。
about-privacy = 隐私
about-privacy-text = 句子只在这台服务器上读取，不会发往别处。分享的链接中含有句子本身。

### 提示：链接或选择被更正

notice-model = 这台服务器上没有名为 { $name } 的模型，改为显示 { $shown }。
notice-layer = 这个模型有 { $n } 层，改为显示第 { $shown } 层。
notice-head = 这个模型每层有 { $n } 个头，改为显示头 { $shown }。
notice-token = 这个句子有 { $n } 个词元，改为显示第 { $shown } 个。
notice-last-good = 下面仍是上一个句子的图。

### 错误：先说发生了什么，再说怎么办

error-title = 没有成功
error-details = 技术细节
error-retry = 重试
error-empty-text = 还没有文本。请输入一个句子，或选择一个示例。
error-blank-text = 文本中只有空白。请至少输入一个词。
error-too-long = 共 { $n } 个词元，太长了：本页最多显示 { $limit } 个。请缩短文本。
error-too-many-characters = 共 { $n } 个字符，太长了：本页最多读取 { $limit } 个。请缩短文本。
error-control-characters = 文本中有无法显示的控制字符。请删去它们，或重新输入句子。
error-unknown-model = 没有名为 { $name } 的模型。请从列表中选择。
error-model-not-allowed = 这台服务器不允许使用模型 { $name }。请从列表中选择。
error-model-missing = 这台机器上没有 { $name } 的文件。请重新运行 “make app” 来安装。
error-wrong-weights = { $name } 的权重与预期不符：校验和不同，因此没有加载。请重新安装。
error-busy =
    { $n ->
        [0] 服务器正忙。请过几秒再试。
       *[other] 服务器正忙，前面还有 { $n } 人在等。请过几秒再试。
    }
error-trace-file = 这个文件不是可以读取的运行记录。请用当前版本重新保存。
error-internal = 服务器出了错，不是您的问题。请重试；如果再次出现，请把下面的细节发给管理员。

### view-kit：各视图共用

view-kit-loading = 正在计算……
view-kit-empty = 还没有可画的内容。请在上方输入一个句子。
view-kit-failed = 这幅图没能画出来。请重试，或刷新页面。
view-kit-retry = 重试
view-kit-legend = 权重
view-kit-list-separator = 、
view-kit-unknown-token = 这个模型不认识
view-kit-special-token = 由模型添加
view-kit-keys = 按键
view-kit-close = 关闭
view-kit-continues-word = 与前一个词元同属一个词

### view-heads：总览与单个头的连线

view-heads-overview = 全部注意力头，每行一层
view-heads-model = { $layers } 层 × { $heads } 头
view-heads-layer = 层
view-heads-head = 头
view-heads-title = 第 { $layer } 层，头 { $head }
view-heads-button = 第 { $layer } 层头 { $head }
view-heads-lines = 从每个词元到它所关注词元的连线
view-heads-from = 来自
view-heads-to = 到
view-heads-reading = { $token } 关注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的关注
view-heads-share = { $token } { $percent }
view-heads-baseline = 全体词元：{ $token } { $percent }
view-heads-hint = 悬停一个词元，只看它那一行；单击可固定。
view-heads-waiting = 正在取这个头的精确数值……
view-heads-keys-move = 在注意力头的网格中移动
view-heads-keys-token = 上一个或下一个词元
view-heads-keys-release = 取消固定的词元
view-heads-keys-list = 显示本列表
view-heads-reading-all = 所有词元平均关注 { $list }
view-heads-floor = 只画 1% 及以上的连线
view-heads-largest = 每行 { $total } 个权重中最大的 { $shown } 个
view-heads-no-numbers = 这个文件不含该头的精确数值。
