"""What makes a Chinese message wrong in its region: characters, words, punctuation, spacing. Reads text, knows no ids."""

from __future__ import annotations

import re

HAN = "\u3400-\u9fff"
FULL = "，。、：；？（）《》「」『』“”‘’"

# Mainland word -> Taiwan word, each in its own characters. Neither may appear in the other catalogue.
WORDS = """
点击 點選; 单击 按一下; 鼠标 滑鼠; 加载 載入; 默认 預設; 链接 連結; 网络 網路; 字符 字元; 信息 資訊; 程序 程式; 悬停 停留;
投影仪 投影機; 服务器 伺服器; 内存 記憶體; 缓存 快取; 用户 使用者; 软件 軟體; 硬件 硬體; 文件 檔案; 文件夹 資料夾; 菜单 選單;
屏幕 螢幕; 数据 資料; 代码 程式碼; 视频 影片; 设置 設定; 支持 支援; 字节 位元組; 接口 介面; 算法 演算法; 打印 列印; 掩码 遮罩;
归一化 正規化; 内核 核心; 校验和 總和檢查碼; 许可证 授權條款; 打开 開啟; 刷新 重新整理; 示例 範例; 登录 登入; 窗口 視窗;
光标 游標; 智能 智慧; 实时 即時; 变量 變數; 运行 執行; 进程 行程; 线程 執行緒; 队列 佇列; 导航 導覽; 图标 圖示; 搜索 搜尋;
通过 透過; 查看 檢視; 列表 清單; 字号 字級; 保存 儲存; 返回 傳回; 软件包 套件; 不认识 不認得; 机器 電腦; 网格 格線; 日志 紀錄;
移除 刪除; 字符串 字串; 数组 陣列; 对象 物件; 注释 註解; 激活 啟用; 质量 品質; 优化 最佳化; 浏览器 瀏覽器; 文本 文字; 例程 常式
"""
# Words that both regions use, so that only the other region's is wrong: the mainland says 浏览器 in its own characters.
BOTH_SAY = frozenset(
    {"核心", "行程", "資料", "設定", "文字", "範例", "刪除", "資料夾", "停留", "智慧", "登入", "品質", "瀏覽器", "電腦"}
)
# What the traditional words look like in simplified characters, to be looked for in the mainland catalogue.
SIMPLIFIED = str.maketrans(
    "點選單滑鼠載預設連結網路資訊滯機記憶體軟檔夾螢碼影支組介演算範規總檢條權開啟視圖詞標執緒佇導覽尋過儲傳級紀錄線陣物註實際變數認電腦搜",
    "点选单滑鼠载预设连结网路资讯滞机记忆体软档夹萤码影支组介演算范规总检条权开启视图词标执绪伫导览寻过储传级纪录线阵物注实际变数认电脑搜",
)
TRADITIONAL = str.maketrans(
    "点击单标载认链络悬仪务内缓户软文夹录档数据码设归验许证开览导图过查号软误进线队节间网格论日志对组释质优浏机动运实变窗构登",
    "點擊單標載認鏈絡懸儀務內緩戶軟文夾錄檔數據碼設歸驗許證開覽導圖過查號軟誤進線隊節間網格論日誌對組釋質優瀏機動運實變窗構登",
)
# Characters that both old codings have although they are one script's own in today's writing.
NOT_TRADITIONAL = frozenset(
    "万与么云价优体几划厂听圣坏复异怀怜惊愿扑扰据机极构柜气洁涂痒确离种筑网胜腊苹范荐虫触适郁里后于并儿挂个从无号"
)
NOT_SIMPLIFIED = frozenset("後徵於")


def faults(text: str, language: str, *, is_data: bool = False) -> list[str]:
    """Return what a strict teacher of the region would mark.

    Args:
        text: a message, {name} standing for its variables.
        language: "zh-CN" or "zh-TW".
        is_data: True for a sentence that is not Chinese; nothing is checked.
    """
    if is_data:
        return []
    return [*_characters(text, language), *_foreign_words(text, language), *_punctuation(text, language)]


def _characters(text: str, language: str) -> list[str]:
    # GB 2312 holds the simplified characters and Big5 the traditional ones; Python carries both tables.
    coding, others = ("gb2312", NOT_SIMPLIFIED) if language == "zh-CN" else ("big5", NOT_TRADITIONAL)
    script = "simplified" if language == "zh-CN" else "traditional"
    return [
        f"{character} is not a {script} character"
        for character in sorted(set(re.findall(f"[{HAN}]", text)))
        if character in others or not _encodes(character, coding)
    ]


def _encodes(character: str, coding: str) -> bool:
    try:
        return bool(character.encode(coding))
    except UnicodeEncodeError:
        return False


def _foreign_words(text: str, language: str) -> list[str]:
    found = []
    for mainland, taiwan in (pair.split() for pair in WORDS.replace("\n", " ").split(";")):
        if language == "zh-CN":
            wrong, right = taiwan.translate(SIMPLIFIED), mainland
            excused = taiwan in BOTH_SAY
        else:
            wrong, right = mainland.translate(TRADITIONAL), taiwan
            excused = wrong == taiwan
        if wrong in text and not excused:
            found.append(f"{wrong} is not said in {language}: {right}")
    if "你" in text:
        found.append("你 where the catalogues say 您")
    return found


def _punctuation(text: str, language: str) -> list[str]:
    found = []
    for match in re.finditer(rf"[{HAN}]([,.:;?!()'\"])|([,.:;?!()'\"])[{HAN}]", text):
        found.append(f"half-width {match[1] or match[2]} beside Han")
    for match in re.finditer(rf"[{HAN}]([A-Za-z0-9{{\[])|([A-Za-z0-9}}\]])[{HAN}]", text):
        found.append(f"no space between Han and {match[1]}" if match[1] else f"no space between {match[2]} and Han")
    for match in re.finditer(rf" ([{FULL}])|([{FULL}]) ", text):
        found.append(f"a space beside full-width {match[1] or match[2]}")
    for mark in sorted(set(re.findall("[「」『』]" if language == "zh-CN" else "[“”‘’]", text))):
        found.append(f"{mark} is not {language}'s quotation mark")
    if re.search(rf"[{HAN}]…(?!…)", text):
        found.append("one … where Chinese has two")
    return found
