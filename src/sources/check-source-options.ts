import type { SourceOptions } from '../domain/source-types/source-type.ts';
import { type SourceTypeId, sourceTypeIds, sourceTypes } from '../domain/source-types/source-types.ts';
import type { OptionProblem } from './release-source.ts';
import { sourceOf } from './sources.ts';

/** Option names of all source types. */
const optionNames = new Set(
  sourceTypeIds.flatMap((id) => sourceTypes[id].options.map((option) => option.name)),
);

/** Returns all invalid options, or an empty list. Options of other source types are invalid. */
export function checkSourceOptions(sourceType: SourceTypeId, sourceOptions: SourceOptions): OptionProblem[] {
  const known = sourceTypes[sourceType].options.map(({ name }) => name);
  const unknown = [...optionNames].filter(
    (name) => sourceOptions[name] !== undefined && !known.includes(name),
  );
  return [
    ...unknown.map((option) => ({ option, message: `not supported by ${sourceType}` })),
    ...(sourceOf(sourceType)?.checkOptions?.(sourceOptions) ?? []),
  ];
}
