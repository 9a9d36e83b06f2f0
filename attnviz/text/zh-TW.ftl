# 繁體中文（臺灣）。術語以 docs/glossary.md 為準。

### 頁面框架：名稱、導覽、語言、字級

shell-brand = AttnViz
shell-tagline = 看注意力如何一步步算出來
nav-home = 首頁
nav-heads = 注意力頭
nav-about = 關於
control-language = 語言
control-size = 字級
control-size-normal = 螢幕
control-size-projector = 投影
control-size-help = 投影字級會放大所有文字與圖形，坐在教室後排也看得清楚。
control-link = 本頁連結
control-link-help = 連結內含句子、模型與目前的選擇，對方開啟後看到的畫面與您相同；伺服器的存取紀錄可能會記下這個句子。

### 句子與模型

text-label = 句子
text-placeholder = 輸入一個英文句子
text-help = 最多 { $tokens } 個詞元。按 Enter 鍵檢視注意力。
text-submit = 檢視注意力
model-label = 模型
model-size = { $layers } 層 × { $heads } 頭
unknown-tokens = { $total } 個詞元中有 { $unknown } 個是這個模型不認得的。模型一律把它們讀成 [UNK]，因此下面的結果幾乎無法說明這個句子。
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
home-intro = 輸入一個句子，{ $model } 就在這裡讀它；模型的 { $n } 個注意力頭會逐一顯示每個詞元關注哪裡。
home-to-heads = 瀏覽所有注意力頭
home-overview = 這個句子上的所有注意力頭

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
token-word = 詞
token-yes = 是
token-none = 無

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
about-max-tokens = 最長文字（詞元數）
about-probe = 載入時測得的最大差異
about-versions = 版本
about-package = 套件
about-version = 版本號
about-limits = 目前生效的限制
about-limit = 限制
about-value = 數值
about-limits-characters = 每個句子的字元數
about-limits-tokens = 每頁的詞元數
about-limits-cache = 結果可使用的記憶體
about-limits-models = 允許使用的模型
about-not-proof = 注意力不能證明什麼
about-not-proof-text = 注意力權重表示一個頭把每個詞元的值以多大比例混入自己的輸出。它並未說明模型為何做出某個判斷：權重很大的詞元，值可能很小；後面的層可能把它抵銷；換一組權重也可能得到相同的輸出。請把看到的規律當成「這個頭在這個句子上做了什麼」的描述，並試著改動句子來檢驗它。
about-numbers = 這些數字從哪裡來
about-numbers-text = 模型以內建的快速核心執行一次。畫面上的權重由這次執行的查詢與鍵重算而得；每次執行都會抽取若干列，與核心傳回的結果核對。
about-privacy = 隱私
about-privacy-text = 句子只在這部伺服器上讀取，不會傳到別處。分享的連結內含句子本身。

### 提示：連結或選擇經過更正

notice-model = 這部伺服器沒有名為 { $name } 的模型，改為顯示 { $shown }。
notice-layer = 這個模型有 { $n } 層，改為顯示第 { $shown } 層。
notice-head = 這個模型每層有 { $n } 個頭，改為顯示頭 { $shown }。
notice-token = 這個句子有 { $n } 個詞元，改為顯示第 { $shown } 個。
notice-last-good = 下面仍是上一個句子的圖。

### 錯誤：先說發生了什麼，再說怎麼辦

error-title = 沒有成功
error-details = 技術細節
error-retry = 重試
error-empty-text = 還沒有文字。請輸入一個句子，或選擇一個範例。
error-blank-text = 文字中只有空白。請至少輸入一個詞。
error-too-long = 共 { $n } 個詞元，太長了：本頁最多顯示 { $limit } 個。請縮短文字。
error-too-many-characters = 共 { $n } 個字元，太長了：本頁最多讀取 { $limit } 個。請縮短文字。
error-control-characters = 文字中有無法顯示的控制字元。請刪除它們，或重新輸入句子。
error-unknown-model = 沒有名為 { $name } 的模型。請從清單中選擇。
error-model-not-allowed = 這部伺服器不允許使用模型 { $name }。請從清單中選擇。
error-model-missing = 這部電腦上沒有 { $name } 的檔案。請重新執行「make app」來安裝。
error-wrong-weights = { $name } 的權重與預期不符：總和檢查碼不同，因此沒有載入。請重新安裝。
error-busy =
    { $n ->
        [0] 伺服器忙碌中。請過幾秒再試。
       *[other] 伺服器忙碌中，前面還有 { $n } 人在等。請過幾秒再試。
    }
error-trace-file = 這個檔案不是可以讀取的執行紀錄。請用目前的版本重新儲存。
error-internal = 伺服器出了錯，不是您的問題。請重試；若再次發生，請把下面的細節傳給管理員。

### view-kit：各檢視共用

view-kit-loading = 計算中……
view-kit-empty = 還沒有可畫的內容。請在上方輸入一個句子。
view-kit-failed = 這張圖畫不出來。請重試，或重新整理頁面。
view-kit-retry = 重試
view-kit-legend = 權重
view-kit-list-separator = 、
view-kit-unknown-token = 這個模型不認得
view-kit-special-token = 由模型加入
view-kit-keys = 按鍵
view-kit-close = 關閉
view-kit-continues-word = 與前一個詞元同屬一個詞

### view-heads：總覽與單一頭的連線

view-heads-overview = 所有注意力頭，每列一層
view-heads-model = { $layers } 層 × { $heads } 頭
view-heads-layer = 層
view-heads-head = 頭
view-heads-title = 第 { $layer } 層，頭 { $head }
view-heads-button = 第 { $layer } 層頭 { $head }
view-heads-lines = 從每個詞元到它所關注詞元的連線
view-heads-from = 來自
view-heads-to = 到
view-heads-reading = { $token } 關注 { $list }
view-heads-reading-key = { $token } 受到 { $list } 的關注
view-heads-share = { $token } { $percent }
view-heads-baseline = 所有詞元：{ $token } { $percent }
view-heads-hint = 將滑鼠移到詞元上，只看它那一列；按一下可固定。
view-heads-waiting = 正在取得這個頭的精確數值……
view-heads-keys-move = 在注意力頭的格線中移動
view-heads-keys-token = 上一個或下一個詞元
view-heads-keys-release = 取消固定的詞元
view-heads-keys-list = 顯示本清單
view-heads-reading-all = 所有詞元平均關注 { $list }
view-heads-floor = 只畫 1% 以上的連線
view-heads-largest = 每列 { $total } 個權重中最大的 { $shown } 個
view-heads-no-numbers = 這個檔案不含此頭的精確數值。
