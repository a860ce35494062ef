import { compileCheapPattern } from '../domain/patterns/compile-pattern.ts';
import type { SourceOptions } from '../domain/source-types/source-type.ts';
import { parseJsonPath } from './json-values.ts';
import type { OptionProblem } from './release-source.ts';

/** Returns the problems with the options of an `http_json` source. Compiling a pattern can take 5 ms. */
export function checkJsonOptions(sourceOptions: SourceOptions): OptionProblem[] {
  const problems: OptionProblem[] = [];
  const { version_path, date_path, version_regex } = sourceOptions;
  if (version_path === undefined) {
    problems.push({
      option: 'version_path',
      message: 'http_json requires the path to the versions, such as .versions[*].name',
    });
  }
  for (const [option, path] of [
    ['version_path', version_path],
    ['date_path', date_path],
  ] as const) {
    const parsed = path === undefined ? null : parseJsonPath(path);
    if (parsed && !parsed.ok) problems.push({ option, message: parsed.message });
  }
  return [...problems, ...checkTextOptions({ version_regex })];
}

/** Returns the problems with the options of an `http_text` source. */
export function checkTextOptions({ version_regex }: SourceOptions): OptionProblem[] {
  const pattern = version_regex === undefined ? null : compileCheapPattern(version_regex);
  return pattern && !pattern.ok ? [{ option: 'version_regex', message: pattern.message }] : [];
}
