"""Notes of everyday life that say the same in English, Chinese and Japanese, with a question for each."""

from __future__ import annotations

from typing import NamedTuple


class Note(NamedTuple):
    """A note and a question that it answers, in other words than its own."""

    title: str
    body: str
    question: str


LANGUAGES = ("en", "zh", "ja")

NOTES: dict[str, tuple[Note, ...]] = {
    "en": (
        Note(
            "Sourdough starter",
            "Feed the starter equal weights of flour and water every morning; it is ready when it doubles.",
            "how often to feed my bread yeast",
        ),
        Note(
            "Passport renewal",
            "The renewal takes three weeks; bring two photos and the old passport to the city office.",
            "documents for a new passport",
        ),
        Note(
            "Bicycle chain maintenance",
            "Clean the chain with a brush and degreaser, dry it, then put one drop of oil on each link.",
            "oiling my bike",
        ),
        Note(
            "Photosynthesis",
            "Plants turn light, water and carbon dioxide into sugar and oxygen inside chloroplasts.",
            "how do plants make energy from sunlight",
        ),
        Note(
            "Tide tables",
            "High water at the harbour comes about fifty minutes later each day because of the moon.",
            "when is high tide",
        ),
        Note(
            "Reviewing code",
            "Read the tests first, then the change; ask questions rather than give orders.",
            "advice for pull request review",
        ),
        Note(
            "Sleep and memory",
            "Deep sleep moves what was learned during the day into long-term memory.",
            "does sleeping help learning",
        ),
        Note(
            "Train tickets to Kyoto",
            "Reserved seats on the fast train must be booked a month ahead during the cherry blossom season.",
            "booking railway seats in spring",
        ),
        Note(
            "Database backups",
            "A backup that was never restored is no backup: test the restore every month.",
            "how do I make sure my data can be recovered",
        ),
        Note(
            "Vaccination schedule",
            "Children receive the measles vaccine at twelve months and a second dose before school.",
            "when do babies get their shots",
        ),
        Note(
            "The fall of the Berlin Wall",
            "In November 1989 the border between East and West Berlin was opened after weeks of protest.",
            "end of divided Germany",
        ),
        Note(
            "Earthquake kit",
            "Keep water for three days, a torch, a radio, medicine and copies of documents by the door.",
            "emergency supplies at home",
        ),
        Note(
            "Black holes",
            "Nothing that crosses the event horizon can return, not even light.",
            "object so dense that light cannot escape",
        ),
        Note(
            "Puppy training",
            "Reward the puppy within a second of the right behaviour and keep lessons under five minutes.",
            "teaching a young dog to sit",
        ),
        Note(
            "Marathon training plan",
            "Run four times a week, with one long slow run, and rest completely on Mondays.",
            "preparing for a long distance race",
        ),
        Note(
            "Router resets",
            "If the wireless network drops, unplug the router for thirty seconds and update its firmware.",
            "wifi keeps disconnecting",
        ),
        Note(
            "Green tea",
            "Brew green tea at seventy degrees for one minute; boiling water makes it bitter.",
            "water temperature for tea",
        ),
        Note(
            "Rental contract",
            "The landlord must give three months' notice and return the deposit within sixty days.",
            "how long before I must leave my apartment",
        ),
        Note(
            "Migratory birds",
            "Swallows fly ten thousand kilometres to spend the winter in southern Africa.",
            "where do birds go in winter",
        ),
        Note(
            "Solar panels",
            "The panels on the roof produce four kilowatts at noon and pay for themselves in nine years.",
            "is home solar power worth the money",
        ),
    ),
    "zh": (
        Note(
            "天然酵母面种",
            "每天早上用等重的面粉和水喂养面种，六小时内体积翻倍就可以用了。",
            "面包酵母多久喂一次",
        ),
        Note(
            "护照换发",
            "换发护照需要三周，要带两张照片和旧护照到市政办公室。",
            "办新护照需要什么材料",
        ),
        Note(
            "自行车链条保养",
            "用刷子和除油剂清洗链条，擦干后每节滴一滴油。",
            "怎么给自行车上油",
        ),
        Note(
            "光合作用",
            "植物在叶绿体中把光、水和二氧化碳转化为糖和氧气。",
            "植物怎样利用阳光制造能量",
        ),
        Note(
            "潮汐表",
            "由于月亮的缘故，港口的高潮每天大约推迟五十分钟。",
            "什么时候涨潮",
        ),
        Note(
            "代码评审",
            "先看测试，再看改动；多提问题，少下命令。",
            "怎样审查别人的代码",
        ),
        Note(
            "睡眠与记忆",
            "深度睡眠把白天学到的东西转入长期记忆。",
            "睡觉对学习有帮助吗",
        ),
        Note(
            "去京都的火车票",
            "樱花季节，新干线的指定席要提前一个月预订。",
            "春天怎么预订火车座位",
        ),
        Note(
            "数据库备份",
            "从未恢复过的备份不算备份：每个月都要测试恢复。",
            "怎样确保数据可以恢复",
        ),
        Note(
            "疫苗接种时间表",
            "儿童在十二个月时接种麻疹疫苗，入学前接种第二剂。",
            "宝宝什么时候打预防针",
        ),
        Note(
            "柏林墙的倒塌",
            "1989年11月，经过数周的抗议，东西柏林之间的边界开放了。",
            "德国分裂的结束",
        ),
        Note(
            "地震应急包",
            "门口放好三天的饮水、手电筒、收音机、药品和证件复印件。",
            "家里应该准备哪些应急物品",
        ),
        Note(
            "黑洞",
            "越过视界的任何东西都无法返回，连光也不行。",
            "密度大到光也逃不出去的天体",
        ),
        Note(
            "训练小狗",
            "小狗做对后一秒内给奖励，每次训练不超过五分钟。",
            "怎么教小狗坐下",
        ),
        Note(
            "马拉松训练计划",
            "每周跑四次，其中一次是慢速长跑，周一完全休息。",
            "怎样准备长跑比赛",
        ),
        Note(
            "重启路由器",
            "如果无线网络断开，拔掉路由器电源三十秒，并更新固件。",
            "无线网老是断线",
        ),
        Note(
            "绿茶",
            "绿茶用七十度的水泡一分钟，开水会使它发苦。",
            "泡茶用多少度的水",
        ),
        Note(
            "租房合同",
            "房东必须提前三个月通知，并在六十天内退还押金。",
            "房东要提前多久通知我搬走",
        ),
        Note(
            "候鸟",
            "燕子飞行一万公里到非洲南部过冬。",
            "鸟儿冬天飞到哪里去",
        ),
        Note(
            "太阳能电池板",
            "屋顶的电池板中午发电四千瓦，九年回本。",
            "家用太阳能划算吗",
        ),
    ),
    "ja": (
        Note(
            "天然酵母の元種",
            "毎朝、同量の小麦粉と水を加える。六時間で二倍に膨らめば使える。",
            "パン種はどのくらいの頻度で世話をするか",
        ),
        Note(
            "パスポートの更新",
            "更新には三週間かかる。写真二枚と古い旅券を市役所へ持って行く。",
            "旅券の申請に必要な書類",
        ),
        Note(
            "自転車のチェーンの手入れ",
            "ブラシと脱脂剤でチェーンを洗い、乾かしてから一コマずつ油を一滴さす。",
            "自転車に油をさす方法",
        ),
        Note(
            "光合成",
            "植物は葉緑体で光と水と二酸化炭素から糖と酸素を作る。",
            "植物は太陽光からどうやってエネルギーを得るか",
        ),
        Note(
            "潮見表",
            "月の動きのため、港の満潮は毎日およそ五十分遅くなる。",
            "満潮は何時か",
        ),
        Note(
            "コードレビュー",
            "まずテストを読み、次に変更を読む。命令ではなく質問をする。",
            "プルリクエストの見方",
        ),
        Note(
            "睡眠と記憶",
            "深い眠りは昼間に学んだことを長期記憶へ移す。",
            "眠ることは学習に役立つか",
        ),
        Note(
            "京都行きの切符",
            "桜の季節は、新幹線の指定席を一か月前に予約する必要がある。",
            "春に列車の席を予約する",
        ),
        Note(
            "データベースのバックアップ",
            "復元したことのないバックアップは役に立たない。毎月復元を試す。",
            "データを確実に復旧できるようにするには",
        ),
        Note(
            "予防接種の予定",
            "子どもは生後十二か月で麻疹のワクチンを受け、就学前に二回目を受ける。",
            "赤ちゃんの予防注射はいつか",
        ),
        Note(
            "ベルリンの壁の崩壊",
            "1989年11月、数週間の抗議の後、東西ベルリンの境界が開かれた。",
            "分断されたドイツの終わり",
        ),
        Note(
            "地震の備え",
            "三日分の水、懐中電灯、ラジオ、薬、書類の写しを玄関に置いておく。",
            "家に置く非常用品",
        ),
        Note(
            "ブラックホール",
            "事象の地平面を越えたものは、光でさえ戻れない。",
            "光も逃げ出せない天体",
        ),
        Note(
            "子犬のしつけ",
            "正しい行動の一秒以内に褒美を与え、練習は五分以内にする。",
            "子犬にお座りを教える",
        ),
        Note(
            "マラソンの練習計画",
            "週に四回走り、一回は長くゆっくり走る。月曜日は完全に休む。",
            "長距離走の準備",
        ),
        Note(
            "ルーターの再起動",
            "無線が切れるときは、ルーターの電源を三十秒抜き、ファームウェアを更新する。",
            "無線LANがよく切れる",
        ),
        Note(
            "緑茶",
            "緑茶は七十度の湯で一分間いれる。熱湯では苦くなる。",
            "お茶をいれる温度",
        ),
        Note(
            "賃貸契約",
            "大家は三か月前に通知し、六十日以内に敷金を返さなければならない。",
            "アパートを退去するまでの期間",
        ),
        Note(
            "渡り鳥",
            "ツバメは一万キロを飛び、アフリカ南部で冬を越す。",
            "鳥は冬どこへ行くのか",
        ),
        Note(
            "太陽光パネル",
            "屋根のパネルは正午に四キロワットを発電し、九年で元が取れる。",
            "家庭の太陽光発電は得か",
        ),
    ),
}
