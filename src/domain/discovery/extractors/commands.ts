import { readDownload, softwareFact } from '../download-address.ts';
import { readImageAssignment } from '../embedded-images.ts';
import { type Extracted, type ExtractorName, emptyExtraction, type Fact } from '../fact.ts';
import { namesKnownSoftware, readNamedVersion } from '../named-versions.ts';
import { isSecretName } from '../read-dotenv.ts';
import { readImage, splitImage } from '../read-image.ts';
import { isTemplated } from '../read-version.ts';
import { maxFactsPerFile } from '../scan-limits.ts';
import { substituteVariables } from '../substitute-variables.ts';
import { unreadKindOf } from '../unread-kinds.ts';
import type { FilePath } from './extractor.ts';

/** Maximum number of characters of a line that are read. */
const maxLineLength = 1_000;
/** Maximum number of variables of one file. Real files have up to a few hundred. */
const maxVariables = 1_000;

/** True for files of environment variables. */
function isEnvironment({ base }: FilePath): boolean {
  return /\.env(?:\.(?:j2|tpl|tftpl))?$|^\.env[\w.-]*$/i.test(base);
}

function isTomlLike({ base }: FilePath): boolean {
  return /\.(?:toml|conf|cfg|ini)(?:\.(?:j2|tpl|tftpl))?$/i.test(base);
}

/**
 * True for text files whose commands and variables are read. Dockerfiles are excluded because they have a
 * separate extractor, and scripts and files of task runners because people run them. Other kinds of files are
 * left to custom patterns.
 */
export function shouldReadCommands({ base }: FilePath): boolean {
  if (/dockerfile|containerfile|^(?:\.?taskfile|justfile|makefile)|\.(?:sh|bash|zsh|ksh|ps1)\./i.test(base))
    return false;
  // Check only the name, because files with the same text and name in other directories can share their
  // facts.
  const file = { path: base, base };
  return (
    (isEnvironment(file) ||
      isTomlLike(file) ||
      /\.(?:ya?ml|ya?ml\.gotmpl|j2|tpl|tftpl|service)$/i.test(base)) &&
    unreadKindOf(file) === null
  );
}

interface Assigned {
  value: string;
  line: number;
}

/**
 * Returns the downloads and images in the commands of a file, and the versions in its variables. A version
 * that a command gets from a variable is on the line of this variable.
 *
 * @param known The facts of other extractors. Variables that their notes name are already items.
 * @param pipeline Extractor that reads the file as a CI pipeline, or null. The commands of a pipeline test
 * software and don't deploy it, and its variables name the tools that it uses.
 */
export function readCommands(
  text: string,
  file: FilePath,
  known: readonly Fact[],
  pipeline: ExtractorName | null,
): Extracted {
  const result = emptyExtraction();
  const isDotenv = isEnvironment(file);
  const isCi = pipeline !== null;
  const hasImages = isDotenv || isTomlLike(file);
  if (!isCi && !hasImages && !/_version:|:\/\/|docker|podman|:v?\d/i.test(text)) return result;
  const lines = text.split('\n').map((line) => line.slice(0, maxLineLength));
  const variables = isDotenv || isCi ? readVariables(lines, isDotenv) : new Map<string, Assigned>();
  /**
   * Variables that aren't read as versions of software, because a known fact refers to them or they contain
   * an image.
   */
  const used = new Set(
    known.flatMap(({ note }) => (note === null ? [] : variablesIn(note.replaceAll('env.', '$')))),
  );
  const extractor = pipeline ?? 'commands';
  const add = (line: number, field: string, found: Omit<Fact, 'extractor' | 'place'>) => {
    const place = { line, document: 0, kind: null, namespace: null, name: null, field };
    result.facts.push({ extractor, place, ...found });
  };
  for (const [at, line] of isCi ? [] : lines.entries()) {
    if (result.facts.length >= maxFactsPerFile) return result;
    if (isComment(line)) continue;
    for (const [url] of line.includes('://') ? line.matchAll(address) : []) {
      const found = readCommandDownload(url);
      if (found) add(at + 1, `download ${found.artifact.name}`, found);
    }
    for (const image of imagesOfCommand(line)) add(at + 1, `command ${image.artifact.name}`, image);
    const assigned = hasImages ? readImageAssignment(withoutKeyword(line)) : null;
    const parts = assigned?.sign.endsWith('=') ? splitImage(assigned.image) : null;
    if (assigned && parts && !isSecretName(assigned.key)) {
      used.add(assigned.key);
      add(at + 1, assigned.key, { ...readImage(parts), note: null });
    }
  }
  if (isDotenv) {
    const values = [...variables].flatMap(([name, { value, line }]): [string, string, number][] =>
      /version|release|tag|image|registry|repo/i.test(name) && /^[\w.:/@+-]{1,300}$/.test(value)
        ? [[name, value, line]]
        : [],
    );
    if (values.length > 0) result.links.push({ type: 'environment_file', values });
  }
  // A template can contain variables, such as an inventory that a playbook creates. Read only names of known
  // software, because most templates are configurations with other names.
  if (/\.ya?ml\.(?:j2|tftpl)$/i.test(file.base))
    for (const [at, line] of lines.entries()) {
      const [, name, value] = templateVariable.exec(line) ?? [];
      const found =
        name !== undefined && namesKnownSoftware(name, value!) ? readNamedVersion(name, value!) : null;
      if (found && result.facts.length < maxFactsPerFile) add(at + 1, name!, found);
    }
  for (const [name, { value, line }] of variables) {
    if (result.facts.length >= maxFactsPerFile) return result;
    // In a pipeline, skip variables that don't name known software: they often contain versions of the
    // software that the pipeline builds.
    const isOther = used.has(name) || (isCi && !namesKnownSoftware(name, value));
    const found = isOther ? null : readNamedVersion(name, value);
    if (found) add(line, name, found);
  }
  return result;
}

const address = /https?:\/\/[^\s"'`|;<>\\,)\]]{4,500}/g;

function isComment(line: string): boolean {
  return /^\s*(?:#|\/\/)/.test(line);
}

/** Removes `export`, which can precede an assignment in a file of environment variables. */
function withoutKeyword(line: string): string {
  return line.trim().replace(/^export[ \t]+/, '');
}

/**
 * Matches `NAME="value"`. The groups are the name and the value in double quotes, in single quotes, or
 * without.
 */
const assignment = /^([A-Za-z_]\w{0,99})=(?:"([^"]{0,200})"|'([^']{0,200})'|([^\s"']{1,200}))/;
const pipelineVariable =
  /^(?:- )?["']?([A-Z][A-Z0-9_]{1,98})["']?:[ \t]{1,20}["']?([\w.+-]{1,100})["']?[ \t]*(?:#.*)?$/;

const templateVariable =
  /^[ \t]{0,40}([a-z]\w{0,98}_version):[ \t]{1,20}["']?([\w.+-]{1,50})["']?[ \t]*(?:#.*)?$/;

function readVariables(lines: readonly string[], isDotenv: boolean): Map<string, Assigned> {
  const variables = new Map<string, Assigned>();
  for (const [at, whole] of lines.entries()) {
    if (variables.size >= maxVariables) break;
    if (isComment(whole)) continue;
    const [, name, ...written] = (isDotenv ? assignment : pipelineVariable).exec(withoutKeyword(whole)) ?? [];
    const value = written.find((each) => each !== undefined);
    if (name === undefined || value === undefined || isSecretName(name) || variables.has(name)) continue;
    const { text } = substituteVariables(value, (each) => variables.get(each)?.value);
    if (!isTemplated(text)) variables.set(name, { value: text, line: at + 1 });
  }
  return variables;
}

/**
 * Reads the software that a command downloads. Skips software whose version isn't known before the command
 * runs.
 */
function readCommandDownload(url: string): Omit<Fact, 'extractor' | 'place'> | null {
  const download = readDownload(url);
  if (!download?.version || isTemplated(url) || !/\d/.test(download.version)) return null;
  const version = download.version.replaceAll(/%2F/gi, '/').replaceAll(/%2B/gi, '+');
  const fact = softwareFact(download, version, download.repository === null ? 'tool' : 'ref');
  return download.isOnlyForVersions && fact.state !== 'exact' ? null : { ...fact, note: null };
}

function variablesIn(text: string): string[] {
  return Array.from(text.matchAll(/\$\{?([A-Za-z_]\w*)/g), ([, name]) => name!);
}

/** Matches a command that runs or copies an image. */
const imageCommand =
  /(?:^|[\s;&|("'`])(?:docker|podman|nerdctl|crictl|ctr|crane|skopeo)[ \t]{1,20}(?:[\w-]{1,40}[ \t]{1,20}){0,2}(?:run|pull|create|copy)\b/;
/** An image with a registry, or with a namespace, and a version that begins with a number. */
const imageWord =
  /^(?:docker:\/\/)?((?:[a-z0-9][\w.-]{0,100}(?::\d{1,5})?\/)(?:[a-z0-9][\w.-]{0,100}\/){0,8}[a-z0-9][\w.-]{0,100}:v?\d[\w.-]{0,100}(?:@sha256:[0-9a-f]{64})?)$/;
const imageWithHost = /^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60})+(?::\d{1,5})?\//;

/** Yields the images that a command runs. In a long command, the image can be on a separate line. */
function* imagesOfCommand(line: string): Generator<Omit<Fact, 'extractor' | 'place'>> {
  const written = line.trim().replace(/^- /, '');
  const trimmed = written.endsWith('\\') ? written.slice(0, -1).trimEnd() : written;
  const isCommand = imageCommand.test(line);
  if (!isCommand && /\s/.test(trimmed)) return;
  for (const word of isCommand ? trimmed.split(/\s+/) : [trimmed]) {
    const image = imageWord.exec(word.replace(/^["']|["']$/g, ''))?.[1];
    if (image === undefined || (!isCommand && !imageWithHost.test(image))) continue;
    const parts = splitImage(image);
    if (parts) yield { ...readImage(parts), note: null };
  }
}
