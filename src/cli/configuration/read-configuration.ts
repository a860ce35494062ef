import {
  createDocumentCheck,
  createLocationSet,
  type DocumentProblem,
  type Path,
} from '../../domain/configuration/check-document.ts';
import type { DocumentLocation, LocatedMessage } from '../../domain/configuration/configuration-entries.ts';
import { type Section, secretFields } from '../../domain/configuration/kinds.ts';
import { type Item, isItem } from '../../domain/json/json-item.ts';
import { usageError } from '../cli-error.ts';
import { parseYamlFile } from '../parse-yaml-file.ts';
import { type SubstitutedValues, substituteEnvironment, type TextPath } from './environment-values.ts';
import { describeProblem, type FileProblem, formatProblem, lineOfPath } from './file-problems.ts';
import { createSecretHider } from './hide-secrets.ts';
import { configurationSchema } from './section-schema.ts';

/** A configuration in the format of the API, with details about the file. */
export interface ConfigurationFile {
  fileNames: readonly string[];
  /** Configuration with the values of variables. Valid according to the schema if `problems` is empty. */
  document: Item;
  /** Configuration as written in the file. It contains references instead of secrets, so it can be shown. */
  written: Item;
  problems: readonly FileProblem[];
  /**
   * True if a problem at this path of the document is already reported. Other problems at the path are only its
   * consequences.
   */
  isSettled(path: Path): boolean;
  /** Returns a problem at a path of the document, with its line and text. */
  locate(path: Path, message: string): FileProblem;
  /** Replaces values of variables in a server message with references. */
  hideSecrets(text: string): string;
}

const checkDocument = createDocumentCheck(configurationSchema);

/** Reads a file and finds all of its problems. Throws an error if the text isn't valid YAML. */
export function readConfiguration(text: string, fileName: string, env: NodeJS.ProcessEnv): ConfigurationFile {
  const { document: yaml, lines, value: written } = parseYamlFile(text, fileName);
  if (!isItem(written))
    throw usageError(
      `No changes made. ${fileName} isn't a configuration file: it must have sections such as rules.`,
    );
  const filled = substituteEnvironment(written, env, isSecret);
  const hideSecrets = createSecretHider(filled.texts);
  const checked = checkDocument(filled.value);
  const report = (path: Path, message: string): FileProblem => {
    const written = checked.originalPath(path);
    return {
      fileName,
      line: lineOfPath(yaml, lines, written),
      text: hideSecrets(describeProblem(checked.corrected, path, written, message)),
    };
  };
  const variables = variableProblems(written, filled);
  const hasVariableProblem = createLocationSet(variables.map(({ path }) => path));
  return {
    fileNames: [fileName],
    document: checked.corrected,
    written,
    problems: [
      ...variables.map(({ path, message }) => report(path, message)),
      ...checked.problems
        .filter(({ path }) => !hasVariableProblem.has(checked.originalPath(path)))
        .map(({ path, message }) => report(path, message)),
    ],
    isSettled: (path) => checked.settled.has(path) || hasVariableProblem.has(checked.originalPath(path)),
    locate: report,
    hideSecrets,
  };
}

/** Formats a remark: `line 3: rule "Majors": duplicate key 1.` */
export function describeRemark(file: ConfigurationFile, { section, index, message }: LocatedMessage): string {
  return formatProblem(file.fileNames, file.locate(pathOfLocation({ section, index }), message));
}

export function pathOfLocation({ section, index }: DocumentLocation): Path {
  return index === null ? [section] : [section, index];
}

/** Returns an entry of a list in a document. Undefined if the location isn't in a list. */
export function entryAt(document: Item, { section, index }: DocumentLocation): Item | undefined {
  const list = document[section];
  const entry: unknown = Array.isArray(list) && index !== null ? list[index] : undefined;
  return isItem(entry) ? entry : undefined;
}

/** True if the path is in a field that contains secrets: `notification_channels/0/headers/Authorization`. */
function isSecret([section, , member]: TextPath): boolean {
  return secretFields[section as Section]?.has(String(member)) === true;
}

function variableProblems(written: Item, { misplaced, missing }: SubstitutedValues): DocumentProblem[] {
  return [
    ...shellReferences(written),
    ...misplaced.map(({ reference, path }) => ({
      path,
      message: `can't contain ${reference}. Only ${formatSecretFields()} can use variables. Write the value itself, or $${reference} for these characters.`,
    })),
    ...[...missing].flatMap(([name, paths]) =>
      paths.map((path) => ({ path, message: `environment variable ${name} isn't set or is empty` })),
    ),
  ];
}

/**
 * Finds `${NAME}` in URLs, where it isn't valid. Other programs use this syntax for variables, so the message
 * suggests `${env:NAME}`.
 */
function shellReferences({ notification_channels: channels }: Item): DocumentProblem[] {
  return (Array.isArray(channels) ? channels : []).flatMap((channel: unknown, index) => {
    const url = isItem(channel) ? channel['url'] : undefined;
    const [reference, name] = (typeof url === 'string' && /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/.exec(url)) || [];
    if (reference === undefined) return [];
    const message = `can't contain ${reference}. For an environment variable, use \${env:${name}}`;
    return [{ path: ['notification_channels', index, 'url'], message }];
  });
}

/** Lists the fields that contain secrets: `url and headers of notification_channels`. */
function formatSecretFields(): string {
  const list = new Intl.ListFormat('en-US');
  return list.format(
    Object.entries(secretFields).map(([section, members]) => `${list.format(members)} of ${section}`),
  );
}
