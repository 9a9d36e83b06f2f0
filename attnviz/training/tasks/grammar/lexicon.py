"""The words, as tables a teacher can check: English, simplified Chinese, Taiwan's own word in traditional characters.

Nothing here builds a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Noun:
    """`plural` is empty for what cannot be counted; then `measure` is the vessel ("cup/cups" 杯) or empty."""

    english: str
    plural: str
    chinese: str
    measure: str
    tags: frozenset[str]

    @property
    def is_counted(self) -> bool:
        return bool(self.plural)


@dataclass(frozen=True)
class Verb:
    """Its four English forms, its Chinese one, what it is done to, and where."""

    base: str
    third: str
    past: str
    going: str
    chinese: str
    objects: tuple[str, ...]  # tags or nouns; empty for a verb that takes none
    places: tuple[str, ...]
    kind: str  # "many": any quantity; "one": a thing of one's own; "the": a thing there is one of; "alone": no object

    @property
    def name(self) -> str:
        return self.base


@dataclass(frozen=True)
class Adjective:
    english: str
    comparative: str  # empty where "more" is said, "-" where nothing is compared
    chinese: str
    of: frozenset[str]  # tags of the nouns it can be said of: "this book is very new"
    before: frozenset[str]  # tags of the nouns it can stand before: "a new book"


@dataclass(frozen=True)
class Place:
    preposition: str
    article: str  # "the" or nothing
    english: str
    chinese: str


# english | plural | simplified | traditional (Taiwan) | measure | tags
NOUN_TABLE = """
apple | apples | 苹果 | 蘋果 | 个 | food fruit goods
banana | bananas | 香蕉 | 香蕉 | 根 | food fruit goods
tomato | tomatoes | 西红柿 | 番茄 | 个 | food fruit goods
potato | potatoes | 土豆 | 馬鈴薯 | 个 | food goods
pineapple | pineapples | 菠萝 | 鳳梨 | 个 | food fruit goods
watermelon | watermelons | 西瓜 | 西瓜 | 个 | food fruit goods
egg | eggs | 鸡蛋 | 雞蛋 | 个 | food goods
cake | cakes | 蛋糕 | 蛋糕 | 个 | food goods made dish
fish | fish | 鱼 | 魚 | 条 | food goods dish
dumpling | dumplings | 饺子 | 餃子 | 个 | food goods dish
rice | | 米饭 | 白飯 | bowl/bowls/碗 | food dish
noodles | | 面条 | 麵條 | bowl/bowls/碗 | food dish made
soup | | 汤 | 湯 | bowl/bowls/碗 | drink dish made
bread | | 面包 | 麵包 | | food goods made dish
beef | | 牛肉 | 牛肉 | | food goods dish
breakfast | | 早饭 | 早餐 | | meal made
lunch | | 午饭 | 午餐 | | meal made
dinner | | 晚饭 | 晚餐 | | meal made
tea | | 茶 | 茶 | cup/cups/杯 | drink goods
coffee | | 咖啡 | 咖啡 | cup/cups/杯 | drink goods
water | | 水 | 水 | bottle/bottles/瓶 | drink goods
beer | | 啤酒 | 啤酒 | bottle/bottles/瓶 | drink goods
milk | | 牛奶 | 牛奶 | glass/glasses/杯 | drink goods
juice | | 果汁 | 果汁 | glass/glasses/杯 | drink goods
book | books | 书 | 書 | 本 | text goods thing lent
magazine | magazines | 杂志 | 雜誌 | 本 | text goods thing lent
newspaper | newspapers | 报纸 | 報紙 | 份 | text goods thing
novel | novels | 小说 | 小說 | 本 | text goods thing lent written
dictionary | dictionaries | 词典 | 字典 | 本 | goods thing lent tool
letter | letters | 信 | 信 | 封 | text written sent
email | emails | 电子邮件 | 電子郵件 | 封 | text written
story | stories | 故事 | 故事 | 个 | text written heard
poem | poems | 诗 | 詩 | 首 | text written heard
article | articles | 文章 | 文章 | 篇 | text written
shirt | shirts | 衬衫 | 襯衫 | 件 | clothes goods thing
coat | coats | 大衣 | 大衣 | 件 | clothes goods thing
sweater | sweaters | 毛衣 | 毛衣 | 件 | clothes goods thing
skirt | skirts | 裙子 | 裙子 | 条 | clothes goods thing
hat | hats | 帽子 | 帽子 | 顶 | hat goods thing
table | tables | 桌子 | 桌子 | 张 | goods thing top
chair | chairs | 椅子 | 椅子 | 把 | goods thing top
bed | beds | 床 | 床 | 张 | goods top
box | boxes | 箱子 | 箱子 | 个 | goods thing inside opened
plate | plates | 盘子 | 盤子 | 个 | goods thing washed
umbrella | umbrellas | 雨伞 | 雨傘 | 把 | goods thing lent tool
pen | pens | 笔 | 筆 | 支 | goods thing lent tool
schoolbag | schoolbags | 书包 | 書包 | 个 | goods thing inside opened
computer | computers | 电脑 | 電腦 | 台 | goods thing lent tool
camera | cameras | 照相机 | 相機 | 台 | goods thing lent tool
map | maps | 地图 | 地圖 | 张 | goods thing lent tool
photo | photos | 照片 | 照片 | 张 | thing sent
gift | gifts | 礼物 | 禮物 | 份 | goods thing sent
key | keys | 钥匙 | 鑰匙 | 把 | thing lost
guitar | guitars | 吉他 | 吉他 | 把 | goods thing lent
car | cars | 汽车 | 汽車 | 辆 | goods vehicle driven lent
bicycle | bicycles | 自行车 | 腳踏車 | 辆 | goods vehicle ridden lent tool
taxi | taxis | 出租车 | 計程車 | 辆 | vehicle driven
bus | buses | 公共汽车 | 公車 | 辆 | vehicle driven
cat | cats | 猫 | 貓 | 只 | animal pet lost
dog | dogs | 狗 | 狗 | 只 | animal pet lost
bird | birds | 鸟 | 鳥 | 只 | animal pet
rabbit | rabbits | 兔子 | 兔子 | 只 | animal pet
horse | horses | 马 | 馬 | 匹 | animal ridden
flower | flowers | 花 | 花 | 朵 | plant goods
tree | trees | 树 | 樹 | 棵 | plant
house | houses | 房子 | 房子 | 栋 | building
movie | movies | 电影 | 電影 | 部 | shown
game | games | 比赛 | 比賽 | 场 | shown
song | songs | 歌 | 歌 | 首 | heard
music | | 音乐 | 音樂 | | heardof learned
teacher | teachers | 老师 | 老師 | 位 | person job plural
doctor | doctors | 医生 | 醫生 | 位 | person job
nurse | nurses | 护士 | 護士 | 位 | person job
student | students | 学生 | 學生 | 个 | person job plural
child | children | 孩子 | 孩子 | 个 | person plural
friend | friends | 朋友 | 朋友 | 个 | person close
neighbor | neighbors | 邻居 | 鄰居 | 位 | person close
driver | drivers | 司机 | 司機 | 位 | person job
lawyer | lawyers | 律师 | 律師 | 位 | person job
engineer | engineers | 工程师 | 工程師 | 位 | person job
manager | managers | 经理 | 經理 | 位 | person job
singer | singers | 歌手 | 歌手 | 位 | person job
writer | writers | 作家 | 作家 | 位 | person job
window | | 窗户 | 窗戶 | | shut
door | | 门 | 門 | | shut
room | | 房间 | 房間 | | cleaned inside roomy
classroom | | 教室 | 教室 | | cleaned roomy
kitchen | | 厨房 | 廚房 | | cleaned roomy
garden | | 花园 | 花園 | | cleaned roomy
office | | 办公室 | 辦公室 | | cleaned roomy
weather | | 天气 | 天氣 | | weather
Chinese | | 中文 | 中文 | | language learned
English | | 英语 | 英文 | | language learned
Japanese | | 日语 | 日文 | | language learned
French | | 法语 | 法文 | | language learned
math | | 数学 | 數學 | | learned
history | | 历史 | 歷史 | | learned
football | | 足球 | 足球 | | kicked
basketball | | 篮球 | 籃球 | | thrown
"""

# english | simplified | traditional
KIN_TABLE = """
mother | 妈妈 | 媽媽
father | 爸爸 | 爸爸
older brother | 哥哥 | 哥哥
younger brother | 弟弟 | 弟弟
older sister | 姐姐 | 姊姊
younger sister | 妹妹 | 妹妹
son | 儿子 | 兒子
daughter | 女儿 | 女兒
wife | 妻子 | 太太
husband | 丈夫 | 先生
"""

# base | third | past | -ing | simplified | traditional | objects (tags or nouns) | places | kind
VERB_TABLE = """
eat | eats | ate | eating | 吃 | 吃 | food | home school office restaurant park | many
drink | drinks | drank | drinking | 喝 | 喝 | drink | home school office restaurant park | many
buy | buys | bought | buying | 买 | 買 | goods | market supermarket Beijing Shanghai Taipei | many
sell | sells | sold | selling | 卖 | 賣 | goods | market supermarket Beijing Shanghai Taipei | many
read | reads | read | reading | 读 | 讀 | text | home library school office park | many
write | writes | wrote | writing | 写 | 寫 | written | home library school office | many
draw | draws | drew | drawing | 画 | 畫 | animal plant house | home school park zoo | many
see | sees | saw | seeing | 看见 | 看見 | animal person vehicle | park station hospital airport zoo | many
find | finds | found | finding | 找到 | 找到 | thing pet | home school office library station | many
borrow | borrows | borrowed | borrowing | 借 | 借 | lent | library school | many
make | makes | made | making | 做 | 做 | made | home kitchen restaurant | many
wash | washes | washed | washing | 洗 | 洗 | clothes fruit washed driven | home kitchen | many
help | helps | helped | helping | 帮助 | 幫助 | person | school hospital station airport | many
send | sends | sent | sending | 寄 | 寄 | sent | office Beijing Shanghai Taipei | many
use | uses | used | using | 用 | 用 | tool | home school office library | one
wear | wears | wore | wearing | 穿 | 穿 | clothes | home school office | one
drive | drives | drove | driving | 开 | 開 | driven | Beijing Shanghai Taipei | one
ride | rides | rode | riding | 骑 | 騎 | ridden | park school | one
look-for | looks-for | looked-for | looking-for | 找 | 找 | lost thing | home school office station | one
watch | watches | watched | watching | 看 | 看 | shown | home school | many
listen-to | listens-to | listened-to | listening-to | 听 | 聽 | heard | home school park | many
open | opens | opened | opening | 打开 | 打開 | opened shut | home school | the
close | closes | closed | closing | 关上 | 關上 | shut | home school | the
clean | cleans | cleaned | cleaning | 打扫 | 打掃 | cleaned | home school | the
learn | learns | learned | learning | 学 | 學 | learned | home school library | name
teach | teaches | taught | teaching | 教 | 教 | learned | school Beijing Taipei | name
speak | speaks | spoke | speaking | 说 | 說 | language | home school office | name
eat | eats | ate | eating | 吃 | 吃 | meal | home school office restaurant | name
play | plays | played | playing | 踢 | 踢 | kicked | school park | name
play | plays | played | playing | 打 | 打 | thrown | school park | name
work | works | worked | working | 工作 | 工作 | | office hospital library Beijing | alone
rest | rests | rested | resting | 休息 | 休息 | | home park hotel | alone
swim | swims | swam | swimming | 游泳 | 游泳 | | school hotel Taipei | alone
study | studies | studied | studying | 学习 | 念書 | | home library school classroom | alone
sing | sings | sang | singing | 唱歌 | 唱歌 | | home park school | alone
dance | dances | danced | dancing | 跳舞 | 跳舞 | | home park school | alone
run | runs | ran | running | 跑步 | 跑步 | | park school | alone
cook | cooks | cooked | cooking | 做饭 | 煮飯 | | home kitchen | alone
chat | chats | chatted | chatting | 聊天 | 聊天 | | home park office restaurant | alone
"""

# english | comparative | simplified | traditional | said of | stands before
ADJECTIVE_TABLE = """
tall | taller | 高 | 高 | kin person |
busy | busier | 忙 | 忙 | kin person |
tired | - | 累 | 累 | kin person |
happy | happier | 高兴 | 高興 | kin person |
hungry | - | 饿 | 餓 | kin person |
thirsty | - | 渴 | 渴 | kin person |
young | younger | 年轻 | 年輕 | person |
smart | smarter | 聪明 | 聰明 | kin person pet |
friendly | - | 友好 | 友善 | person |
expensive | | 贵 | 貴 | goods vehicle building |
cheap | cheaper | 便宜 | 便宜 | goods vehicle | clothes
new | newer | 新 | 新 | thing clothes vehicle building | thing clothes driven ridden building
old | older | 旧 | 舊 | thing clothes vehicle building | thing clothes building
big | bigger | 大 | 大 | animal fruit top inside roomy building | animal fruit top inside plant building
small | smaller | 小 | 小 | animal fruit top inside roomy building | animal fruit top inside building
heavy | heavier | 重 | 重 | top inside fruit dictionary guitar |
light | lighter | 轻 | 輕 | top inside camera computer |
long | longer | 长 | 長 | skirt novel story letter article movie |
beautiful | | 漂亮 | 漂亮 | clothes hat plant roomy building bird | clothes hat plant building bird
interesting | | 有趣 | 有趣 | text shown | text shown
sweet | sweeter | 甜 | 甜 | fruit cake juice |
fresh | fresher | 新鲜 | 新鮮 | fruit fish egg bread milk | fruit fish
delicious | | 好吃 | 好吃 | food dish | cake dumpling
quiet | quieter | 安静 | 安靜 | roomy |
cold | colder | 冷 | 冷 | weather roomy |
hot | hotter | 热 | 熱 | weather roomy |
red | - | 红 | 紅 | | clothes hat flower driven
black | - | 黑 | 黑 | | clothes hat pet
white | - | 白 | 白 | | clothes hat pet flower
blue | - | 蓝 | 藍 | | clothes hat driven
"""

# name | preposition | article | english | simplified | traditional
PLACE_TABLE = """
home | at | | home | 家 | 家
school | at | | school | 学校 | 學校
park | in | the | park | 公园 | 公園
library | at | the | library | 图书馆 | 圖書館
hospital | at | the | hospital | 医院 | 醫院
station | at | the | station | 火车站 | 火車站
airport | at | the | airport | 机场 | 機場
supermarket | at | the | supermarket | 超市 | 超市
market | at | the | market | 市场 | 市場
restaurant | at | the | restaurant | 饭馆 | 餐廳
hotel | at | the | hotel | 酒店 | 飯店
zoo | at | the | zoo | 动物园 | 動物園
office | in | the | office | 办公室 | 辦公室
classroom | in | the | classroom | 教室 | 教室
kitchen | in | the | kitchen | 厨房 | 廚房
Beijing | in | | Beijing | 北京 | 北京
Shanghai | in | | Shanghai | 上海 | 上海
Taipei | in | | Taipei | 台北 | 臺北
"""

# Words with a traditional form of their own that stand in no table above.
OTHER_TRADITIONAL = {
    "我们": "我們", "他们": "他們", "汤姆": "湯姆", "玛丽": "瑪麗", "大卫": "大衛",
    "两": "兩", "个": "個", "张": "張", "条": "條", "顶": "頂", "辆": "輛", "只": "隻", "栋": "棟",
    "场": "場", "没": "沒", "没有": "沒有", "会": "會", "请": "請", "吗": "嗎", "谁": "誰", "什么": "什麼",
    "哪里": "哪裡", "这": "這", "里": "裡", "因为": "因為", "上个": "上個", "下个": "下個", "小时": "小時",
    "给": "給", "喜欢": "喜歡", "认识": "認識", "学生们": "學生們", "老师们": "老師們", "孩子们": "孩子們",
}  # fmt: skip


def _rows(table: str, columns: int) -> list[list[str]]:
    rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().splitlines()]
    assert all(len(row) == columns for row in rows), [row for row in rows if len(row) != columns]
    return rows


NOUNS = {
    row[0]: Noun(row[0], row[1], row[2], row[4], frozenset([*row[5].split(), row[0]])) for row in _rows(NOUN_TABLE, 6)
}
KIN = {row[0]: row[1] for row in _rows(KIN_TABLE, 3)}
VERBS = tuple(
    Verb(base, third, past, going, row[4], tuple(row[6].split()), tuple(row[7].split()), row[8])
    for row in _rows(VERB_TABLE, 9)
    for base, third, past, going in [[form.replace("-", " ") for form in row[:4]]]
)
ADJECTIVES = {
    row[0]: Adjective(row[0], row[1], row[2], frozenset(row[4].split()), frozenset(row[5].split()))
    for row in _rows(ADJECTIVE_TABLE, 6)
}
PLACES = {row[0]: Place(*row[1:5]) for row in _rows(PLACE_TABLE, 6)}
TRADITIONAL: dict[str, str] = {
    **{row[2]: row[3] for row in _rows(NOUN_TABLE, 6)},
    **{row[1]: row[2] for row in _rows(KIN_TABLE, 3)},
    **{row[4]: row[5] for row in _rows(VERB_TABLE, 9)},
    **{row[2]: row[3] for row in _rows(ADJECTIVE_TABLE, 6)},
    **{row[4]: row[5] for row in _rows(PLACE_TABLE, 6)},
    **OTHER_TRADITIONAL,
}


def nouns_of(tags: tuple[str, ...]) -> tuple[Noun, ...]:
    """The nouns that carry one of these tags (a noun's own name is one), in the order of the table."""
    return tuple(noun for noun in NOUNS.values() if noun.tags & set(tags))
