import type { OptionProblem, SourceOptions } from './release-source.ts';

/** Every option that is given and not among those that the source knows. */
export function unknownOptions(
  sourceOptions: SourceOptions,
  known: readonly (keyof SourceOptions)[],
  sourceType: string,
): OptionProblem[] {
  const all: (keyof SourceOptions)[] = ['version_field', 'version_path', 'date_path', 'version_regex'];
  return all
    .filter((option) => sourceOptions[option] !== undefined && !known.includes(option))
    .map((option) => ({ option, message: `not supported by ${sourceType}` }));
}
