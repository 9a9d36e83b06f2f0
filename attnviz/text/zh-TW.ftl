# 繁體中文（臺灣）。術語以 docs/glossary.md 為準。

### 頁面框架：名稱、導覽、語言、字級

shell-brand = AttnViz
nav-home = 首頁
nav-heads = 注意力頭
nav-about = 關於
control-language = 語言
control-size-projector = 投影
control-link-copy = 複製連結
control-link-copied = 已複製
control-link-help = 連結內含句子、模型與目前的選擇，對方開啟後看到的畫面與您相同；伺服器的存取紀錄可能會記下這個句子。

### 句子與模型

text-label = 句子
text-placeholder = 輸入一個英文句子
text-show = 顯示 ↵
text-enter = 按 Enter 鍵顯示這個句子；目前的圖仍是上一個句子的。
loading-model = 正在載入 { $model }……
unknown-tokens = { $total } 個詞元中有 { $unknown } 個是這個模型不認得的。模型一律把它們讀成 [UNK]，因此下面的結果幾乎無法反映這個句子的內容。
verified = 重算的權重與這次執行的核心結果相差不超過 { $difference }（核對了 { $rows } 列）。

### 範例：句子，以及看什麼

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

### 首頁

home-title = 看看每個注意力頭在關注什麼
home-to-heads = 瀏覽所有注意力頭

### 注意力頭

heads-title = 注意力頭

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
about-model = 模型
about-revision = 修訂版本
about-layers = 層數
about-heads = 每層頭數
about-parameters = 參數量
about-licence = 授權條款
about-source = 來源
about-languages = 語言
about-language-en = 英文
about-language-zh = 中文
about-max-tokens = 最長文字（詞元數）
about-probe = 載入時測得的最大差異
about-versions = 版本
about-package = 套件
about-version = 版本號
about-limits = 目前生效的限制
about-limit = 限制
about-value = 目前的值
about-limits-characters = 每個句子的字元數
about-limits-tokens = 每頁的詞元數
about-limits-cache = 結果可使用的記憶體
about-limits-models = 允許使用的模型
about-not-proof = 注意力不能證明什麼
about-not-proof-text = 注意力權重表示一個頭把每個詞元的值以多大比例混入自己的輸出。它並未說明模型為何做出某個判斷：權重很大的詞元，值可能很小；後面的層可能把它抵銷；換一組權重也可能得到相同的輸出。請把看到的規律當成「這個頭在這個句子上做了什麼」的描述，並試著改動句子來檢驗它。
about-numbers = 這些數字從哪裡來
about-numbers-text = 模型以內建的快速核心執行一次。畫面上的權重由這次執行的查詢與鍵重算而得；每次執行都會抽取若干列，與核心傳回的結果核對。
about-privacy = 隱私
about-privacy-text = 句子只在這部伺服器上讀取，不會傳到別處。網址內含句子本身，因此分享的連結與伺服器的存取紀錄都可能顯示它。

### 提示：連結或選擇經過更正

notice-model = 這部伺服器沒有名為 { $name } 的模型，改為顯示 { $shown }。
notice-layer = 這個模型有 { $n } 層，改為顯示第 { $shown } 層。
notice-head = 這個模型每層有 { $n } 個頭，改為顯示第 { $shown } 頭。
notice-token = 這個句子有 { $n } 個詞元，改為顯示第 { $shown } 個。
notice-unreadable = 連結中的「{ $value }」無法辨識，已略過。
notice-last-good = 下面仍是上一個句子的圖。
notice-example = 下面是範例句子的圖。

### 錯誤：先說發生了什麼，再說怎麼辦

error-title = 這次沒有成功
error-details = 技術細節
error-retry = 重試
error-empty-text = 沒有可讀的文字。請輸入一個句子，或選擇一個範例。
error-too-long = 共 { $n } 個詞元，太長了：本頁最多顯示 { $limit } 個。請縮短文字。
error-too-many-characters = 共 { $n } 個字元，太長了：本頁最多讀取 { $limit } 個。請縮短文字。
error-nothing-left = 這段文字經模型的斷詞器讀取後什麼也沒有剩下：看不見的字元會被丟棄。請輸入一些字母或詞。
error-surrogate = 第 { $position } 個字元只是半個字元（{ $code }），文字在表情符號中間被截斷時會這樣。請刪除它，再重新輸入。
error-unknown-model = 沒有名為 { $model } 的模型。請從 { $names } 中選擇。
error-model-not-allowed = 這部伺服器不允許使用模型 { $name }。請從清單中選擇。
error-model-not-installed = 模型 { $model } 隨套件 { $package } 提供，而它尚未安裝。請執行「{ $command }」。
error-wrong-weights = 檔案 { $file } 與預期不符：總和檢查碼不同，因此沒有載入。請重新安裝模型。
error-no-safetensors = 資料夾 { $folder } 裡沒有「model.safetensors」權重檔。其他格式的權重可能是 pickle，當中可能藏有會執行的程式碼，因此一律不開啟。請將模型重新存成 safetensors 格式。
error-busy =
    { $n ->
        [0] 伺服器忙碌中。請過幾秒再試。
       *[other] 伺服器忙碌中，前面還有 { $n } 人在等。請過幾秒再試。
    }
error-internal = 伺服器出了錯，不是您的問題。請重試；若再次發生，請把下面的細節傳給管理員。

### 執行設定的錯誤

error-settings-address = 儀表板處於本機模式，卻在 { $address } 接聽，其他電腦也能連上。請以「--server.address 127.0.0.1」啟動，或設定「ATTNVIZ_MODE=hosted」改為代管模式。
error-settings-paths = 代管模式不能使用本機的資料夾，而 ATTNVIZ_MODELS 中有「{ $path }」。請從 ATTNVIZ_MODELS 中去掉它，或設定「ATTNVIZ_MODE=local」。
error-settings-mode = { $name } 的值是「{ $value }」，應為「local」或「hosted」。請改正或刪除它，再重新啟動。
error-settings-models = { $name } 的值是「{ $value }」，應為模型名稱的清單，例如「minilm-l6」。請改正或刪除它，再重新啟動。
error-settings-bytes = { $name } 的值是「{ $value }」，應為容量，例如「512MB」或「2GiB」。請改正或刪除它，再重新啟動。
error-settings-number = { $name } 的值是「{ $value }」，應為 { $low } 到 { $high } 之間的數。請改正或刪除它，再重新啟動。
error-settings-unknown = 沒有名為 { $name } 的設定，最接近的是 { $nearest }。請改正或刪除它，再重新啟動。
error-settings-no-model = ATTNVIZ_MODELS 中的「{ $name }」既不是已知的模型，也不是資料夾。已知的模型：{ $known }。
error-not-served = 儀表板暫時無法使用。請告知伺服器的管理員，原因在記錄檔中。

### 模型的錯誤：哪些無法載入，或無法如實讀取

error-no-model-folder = { $folder } 中沒有模型：缺少「config.json」。請指定同時含有「config.json」、權重與斷詞器的資料夾。
error-bad-config = 無法讀取檔案 { $file }。請重新複製模型的資料夾。
error-config-too-large = 「config.json」要求 { $value }（{ $name }），而同一資料夾中的權重最多只有 { $limit }。模型沒有建立。請從可信的來源取得。
error-climbing-name = 權重清單中有 { $name }，它不是這個資料夾中的 safetensors 檔案，因此沒有讀取。請從可信的來源取得模型。
error-damaged-weights = { $file } 不是完整的 safetensors 權重檔案。請重新複製。
error-missing-weights = { $folder } 中的權重缺少模型的 { $n } 個張量，例如 { $name }。請重新複製資料夾。
error-not-loadable = 「transformers」無法載入 { $folder } 中的模型；模型自帶的程式碼一律不執行。請選擇另一個模型。
error-tokenizer-mismatch = { $model } 的斷詞器有 { $tokens } 個詞元，而模型有 { $rows } 個，兩者並不配套。請複製與這些權重配套的斷詞器。
error-slow-tokenizer = { $model } 沒有快速斷詞器（「tokenizer.json」），而只有快速斷詞器才能說明每個詞元對應哪些字元。請選擇另一個模型。
error-unknown-attention-argument = { $module } 對注意力傳入了 { $names }，它可能改變分數，而這裡不了解它的作用。請選擇另一個模型。
error-no-attention-interface = { $model } 沒有採用「transformers」通用的注意力介面，因此無法讀取它的注意力。請選擇另一個模型。
error-no-cross-attention = { $site } 從一段文字看向另一段；這個模型只能讀取同一段文字內的自注意力。
error-encoder-decoder = { $model } 讀一段文字、寫另一段文字；目前的版本只支援單一文字的模型。請選擇另一個模型。
error-unknown-task = 沒有名為 { $task } 的任務。請從 { $known } 中選擇。
error-not-runnable = { $model } 無法在純文字上執行。請選擇另一個模型。
error-no-attention = { $model } 不提供注意力矩陣，因此無法如實顯示任何內容。請選擇另一個模型。
error-no-target = { $model } 只讀一段文字，不產生文字，因此不接受目標文字。請去掉目標文字。
error-probe-layers = 這個模型有 { $expected } 層注意力權重，實際記錄到 { $came } 層，顯示的內容可能有誤。請選擇另一個模型。
error-probe-difference = 從這個模型讀出的權重與它自己的最多相差 { $difference }，超過了允許的 { $tolerance }。請選擇另一個模型。

### 記錄與改動的錯誤

error-edit-needs-explicit = 這項改動針對原始分數、分數、遮罩後的分數或權重，而融合核心不會產生它們。請以「kernel='explicit'」執行。
error-edit-shape = 改動 { $label } 改變了 { $name } 的形狀。請傳回形狀相同的張量，或傳回「None」維持原樣。
error-edit-matches-nothing = 改動 { $label } 沒有作用：沒有任何值符合 { $pattern }。請改正這個樣式。
error-bad-keep = 「keep」的值是 { $keep }，應為「weights」或「all」。
error-bad-site = { $site } 不是有效的位點。請寫成「encoder.2.self」的形式：堆疊、層、種類。
error-no-such-record = 沒有以 { $name } 為名的紀錄。
error-site-ran-twice = 這次記錄中 { $place } 執行了不只一次，一份執行紀錄裝不下。請每次只記錄一次前向計算。
error-run-failed = 記錄因錯誤而中斷，無法產生執行紀錄。請重新執行。
error-no-records = 什麼也沒有記錄到。請在「with record()」之內執行模型，並用「attnviz.attend」建構它。
error-no-such-text = 這次記錄中沒有第 { $index } 段文字；序號從 0 開始。

### 形狀與遮罩的錯誤

error-bad-shape = { $name } 的形狀是 { $shape }。至少要有兩個軸：詞元與特徵。
error-widths-differ = 每個查詢有 { $q } 個特徵，每個鍵有 { $k } 個。兩者必須相同，才能相乘。
error-lengths-differ = 有 { $k } 個鍵和 { $v } 個值。每個鍵都要有一個值。
error-devices-differ = 張量位於不同的裝置：{ $devices }。請用「.to(device)」移到同一個裝置。
error-bad-sinks = 有 { $sinks } 個匯聚項。每個頭應有一個。
error-batches-differ = 詞元之前的軸不一致：{ $left } 與 { $right }。請使用相同的批次與頭。
error-mask-dtype = { $name } 的型別是 { $dtype }。請使用「bool」遮罩（True 表示可以看），或加到分數上的浮點數。
error-mask-shape = { $name } 的形狀是 { $came }，與 { $queries } 個查詢 × { $keys } 個鍵不符。
error-padding-shape = 填補遮罩須為 { $keys } 個鍵各給一個真假值。

### 讀取執行紀錄的錯誤

error-no-such-site = { $site } 處沒有注意力。這份執行紀錄中有 { $sites }。
error-no-such-head = { $site } 沒有編號為 { $head } 的頭。它有 { $heads } 個頭，編號從 0 開始。
error-no-replay = 這個模型中 { $site } 的分數並非只由查詢與鍵算出，因此只能顯示分數及其後的步驟。
error-no-w-o = 這份執行紀錄中沒有 { $site } 的輸出矩陣。
error-no-parameters = 這份執行紀錄中沒有 { $point } 的參數，用到它們的步驟無法寫出。請載入模型後重新執行這段文字。
error-rows-step = 取列時用了間隔。請使用不帶間隔的切片。
error-dtypes-differ = q、k、v 的型別是 { $dtypes }。三者請使用同一種浮點型別。
error-mask-not-finite = { $name } 裡有 NaN 或 +∞。請使用有限的數；查詢不能看的位置用 −∞。
error-not-finite = { $name } 裡有 NaN 或 ∞。請檢查算出它的那一步。
error-changed-in-place = { $name } 在記錄之後被就地修改。請寫 y = y + x，不要寫 y += x。
error-too-many-axes = 記錄到的值有 { $axes } 個軸。最多能顯示四個：批次、頭、詞元、特徵。
error-no-text = 文字應是 str，傳入的卻是 { $kind }。位元組請先解碼；多段文字請逐段傳入。
error-head-type = { $head } 不是頭的編號。請用 0 到 { $last } 的整數；None 表示全部的頭。
error-rows-type = { $rows } 不是切片。請用 slice(4, 5) 這樣的切片；None 表示全部的列。
error-matrix-too-large = 結果將達 { $bytes } 位元組，上限是 { $limit } 位元組。請只取一個頭，或取較少的列。
error-no-input = 這份執行紀錄中沒有 { $site } 的輸入，因此無法寫出它的查詢、鍵與值。
error-no-such-step = 沒有名為 { $step } 的步驟。
error-edited-step = { $step } 已被改動取代，沒有算式可以得出它。請解釋未經改動的執行。
error-bad-cell = { $step } 的儲存格要求 { $axis } 在 0 到 { $last } 之間，給的是 { $came }。
error-no-softcap = 這個模型中 { $site } 的分數沒有設上限。
error-not-a-product = 這個模型中 { $site } 的 { $name } 不是 X 與一個矩陣的乘積，無法由 X 寫出。
error-no-folder = 沒有可寫入的資料夾 { $folder }。請先建立它。
error-no-file = 沒有檔案 { $path }。
error-broken-trace = { $path } 不完整，或不是執行紀錄。請用「Trace.save()」重新儲存。
error-not-a-trace = { $path } 不是目前版本的執行紀錄。請用「Trace.save()」重新儲存。

### 檢查自己寫的注意力時的錯誤

error-check-class = { $name } 是一個類別，這裡需要由它建立的層。請傳入「{ $name }(…)」。
error-check-not-callable = 傳入的是 { $came }；這裡需要 torch 模組，或以 q、k、v 和 mask（遮罩）為參數的函式。請傳入層本身。
error-check-mask-means = 「mask_means」的值是「{ $came }」，應為「may look」、「may not look」或「added」。請說明您的遮罩中 True 表示什麼。
error-check-reference = 參照的是 { $came }，應為可以讀取權重的 torch 模組。不給它，就只與本函式庫的實作比較。
error-check-heads = 頭數是 { $n }，應為不小於 1 的整數。請說明您的層有多少個頭。
error-check-heads-width = { $n } 個頭無法整除查詢的 { $width } 個特徵；各個頭的寬度必須相同。請說明您的層有多少個頭。

### view-kit：各檢視共用

view-kit-legend = 權重
view-kit-list-separator = 、
view-kit-unknown-token = 這個模型不認得，讀作 { $read }
view-kit-token-facts = { $token }（{ $facts }）
view-kit-special-token = 由模型加入
view-kit-keys = 按鍵
view-kit-close = 關閉
view-kit-continues-word = 與前一個詞元同屬一個詞

### view-heads：總覽與單一頭的連線

view-heads-overview = 所有注意力頭，每列一層
view-heads-model = { $layers } 層 × { $heads } 頭
view-heads-title = 第 { $layer } 層，第 { $head } 頭
view-heads-button = 第 { $layer } 層第 { $head } 頭
view-heads-lines = 從每個詞元到它所關注詞元的連線
view-heads-reading = { $token } 關注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的關注
view-heads-share = { $token } { $percent }
view-heads-baseline = 所有詞元：{ $token } { $percent }
view-heads-waiting = 正在取得這個頭的精確數值……
view-heads-keys-move = 在注意力頭的格線中移動
view-heads-keys-token = 固定上一個或下一個詞元
view-heads-keys-key = 固定右側的上一個或下一個詞元
view-heads-keys-release = 取消固定詞元
view-heads-keys-list = 顯示本清單
view-heads-reading-all = 所有詞元平均關注 { $list }
view-heads-floor = 只畫 1% 以上的連線
view-heads-largest = 每列 { $total } 個權重中最大的 { $shown } 個
view-heads-no-numbers = 這個檔案不含此頭的精確數值。

### Errors of training and of trained models

error-unknown-words = { $model } 不認得 { $words }。它認得的詞有 { $n } 個：{ $known }。
error-plan-number = { $name } 的值是 { $value }，應在 { $low } 到 { $high } 之間。請修改後重新開始。
error-not-a-trained-model = { $path } 不是用 AttnViz 訓練的模型，或者不完整。請重新訓練。
error-weights-do-not-fit = 權重與檔案所描述的形狀不符。請重新訓練模型。
error-changed-weights = { $path } 中的權重不是當初訓練得到的：總和檢查碼不同。請重新訓練模型。
