"""What makes a Chinese message wrong in its region: characters, words, punctuation, spacing. It knows no ids."""

import re
from functools import cache

HAN = "\u3400-\u9fff"
FULL = "，。、：；？（）《》「」『』“”‘’"

# Mainland word -> Taiwan word, each in its own characters. Neither may appear in the other catalogue.
WORDS = """
点击 點選; 单击 按一下; 鼠标 滑鼠; 加载 載入; 默认 預設; 链接 連結; 网络 網路; 字符 字元; 信息 資訊; 程序 程式;
悬停 停留; 投影仪 投影機; 服务器 伺服器; 内存 記憶體; 缓存 快取; 用户 使用者; 软件 軟體; 硬件 硬體; 文件 檔案;
文件夹 資料夾; 菜单 選單; 屏幕 螢幕; 数据 資料; 代码 程式碼; 视频 影片; 设置 設定; 支持 支援; 字节 位元組;
接口 介面; 算法 演算法; 打印 列印; 掩码 遮罩; 归一化 正規化; 内核 核心; 校验和 總和檢查碼; 许可证 授權條款;
打开 開啟; 刷新 重新整理; 示例 範例; 登录 登入; 窗口 視窗; 光标 游標; 智能 智慧; 实时 即時; 变量 變數;
运行 執行; 进程 行程; 线程 執行緒; 队列 佇列; 导航 導覽; 图标 圖示; 搜索 搜尋; 通过 透過; 查看 檢視; 列表 清單;
字号 字級; 保存 儲存; 返回 傳回; 软件包 套件; 不认识 不認得; 网格 格線; 日志 紀錄; 字符串 字串;
数组 陣列; 对象 物件; 注释 註解; 激活 啟用; 质量 品質; 优化 最佳化; 文本 文字; 例程 常式; 分词器 斷詞器;
托管 代管; 监听 接聽; 单元格 儲存格; 创建 建立; 当前 目前
"""
# Taiwan's word of a pair that is good mainland Chinese too, so only the mainland's is looked for.
BOTH_SAY = frozenset("核心 行程 資料 設定 文字 停留 智慧 登入 品質 建立 目前 紀錄 接聽 執行 導覽 開啟".split(" "))  # noqa: SIM905
# What a translation says and no teacher does -> what the glossary says, in both scripts.
UNSAID = {
    r"汇聚|匯聚": "汇点", r"相配": "匹配", r"第 (\{\w+\}|\d+) [头頭]": "第 N 个头", r"[间間]教室": "课堂",
    r"教室[代号號码碼]": "课堂码", r"得到(查[询詢]|[键鍵值])$": "计算", r"教[师師]用": "教师资料",
    r"给班级|給班級": "课堂教案", r"對比": "比較", r"[头頭] \{\w+\}.*。": "第 N 层第 N 个头",
}  # fmt: skip
# Traditional and simplified, for writing a word of one region in the other's characters; the rest are the same in both.
FORMS = """
點点 選选 載载 預预 設设 連连 結结 網网 資资 訊讯 機机 記记 憶忆 體体 軟软 檔档 夾夹 螢萤 碼码 組组 範范 規规
總总 檢检 條条 權权 開开 啟启 視视 圖图 詞词 標标 執执 緒绪 佇伫 導导 覽览 尋寻 過过 儲储 傳传 級级 紀纪 錄录
線线 陣阵 註注 實实 變变 數数 認认 時时 斷断 聽听 單单 擊击 鏈链 絡络 懸悬 儀仪 務务 內内 緩缓 戶户 據据 歸归
驗验 許许 證证 號号 進进 隊队 節节 誌志 對对 釋释 質质 優优 運运 識识 頻频 創创 當当 監监
"""
TO_SIMPLIFIED = str.maketrans(dict(FORMS.split()))
TO_TRADITIONAL = str.maketrans({simplified: traditional for traditional, simplified in FORMS.split()})
# Characters that both old codings have although they are one script's own in today's writing.
NOT_TRADITIONAL = frozenset(
    "万与么价优体几划厂听圣坏复异怀怜惊愿扑扰据机极构柜气洁涂痒确离种筑网胜腊苹范荐虫触适郁里后于并儿挂"
)
NOT_SIMPLIFIED = frozenset("後徵於")


@cache
def foreign(language: str) -> dict[str, str]:
    """Each word of the other region, in this one's characters, and the word that is said here."""
    split = [pair.split() for pair in WORDS.replace("\n", " ").split(";")]
    if language == "zh-CN":
        return {taiwan.translate(TO_SIMPLIFIED): mainland for mainland, taiwan in split if taiwan not in BOTH_SAY}
    return {wrong: taiwan for mainland, taiwan in split if (wrong := mainland.translate(TO_TRADITIONAL)) != taiwan}


def faults(text: str, language: str, *, to_pupils: bool = False) -> list[str]:
    """Return what a strict teacher of the region would mark in a message, {name} standing for its variables.

    Pupils are not 您.
    """
    other, own = ("您", "你") if to_pupils else ("你", "您")
    addressed = [f"{other} where the catalogues say {own}"] if other in text else []
    said = foreign(language).items()
    words = [f"{wrong} is not said in {language}: {right}" for wrong, right in said if wrong in text]
    words += [
        f"{found[0]} is said by no teacher: {right}" for it, right in UNSAID.items() if (found := re.search(it, text))
    ]
    return [*_characters(text, language), *words, *addressed, *_punctuation(text, language)]


def _characters(text: str, language: str) -> list[str]:
    # GB 2312 holds the simplified characters and Big5 the traditional ones; Python carries both tables.
    coding, others = ("gb2312", NOT_SIMPLIFIED) if language == "zh-CN" else ("big5", NOT_TRADITIONAL)
    script = "simplified" if language == "zh-CN" else "traditional"
    return [
        f"{character} is not a {script} character"
        for character in sorted(set(re.findall(f"[{HAN}]", text)))
        if character in others or not character.encode(coding, errors="ignore")
    ]


def _punctuation(text: str, language: str) -> list[str]:
    half = re.finditer(rf"[{HAN}]([,.:;?!()'\"])|([,.:;?!()'\"])[{HAN}]", text)
    found = [f"half-width {match[1] or match[2]} beside Han" for match in half]
    for match in re.finditer(rf"[{HAN}]([A-Za-z0-9{{\[])|([A-Za-z0-9}}\]])[{HAN}]", text):
        found.append(f"no space between Han and {match[1]}" if match[1] else f"no space between {match[2]} and Han")
    spaced = re.finditer(rf" ([{FULL}])|([{FULL}]) ", text)
    found += [f"a space beside full-width {match[1] or match[2]}" for match in spaced]
    quotes = sorted(set(re.findall("[「」『』]" if language == "zh-CN" else "[“”‘’]", text)))
    found += [f"{mark} is not {language}'s quotation mark" for mark in quotes]
    if re.search(rf"[{HAN}]…(?!…)", text):
        found.append("one … where Chinese has two")
    return found
