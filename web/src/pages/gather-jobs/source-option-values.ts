import {
  type SourceTypeId,
  sourceTypeIds,
  sourceTypes,
} from '../../../../src/domain/source-types/source-types.ts';
import type { Schemas } from '../../../../src/generated/client-api.ts';

type SourceOptions = Schemas['GatherSourceOptions'];

/** The options of all source types, as a form holds them. Empty: not set. */
export type SourceOptionValues = Record<keyof SourceOptions, string>;

export function sourceOptionValues(stored: SourceOptions | undefined): SourceOptionValues {
  const names = sourceTypeIds.flatMap((id) => sourceTypes[id].options.map(({ name }) => name));
  return Object.fromEntries(names.map((name) => [name, stored?.[name] ?? ''])) as SourceOptionValues;
}

/** What is sent: the options that this type has and that are set. */
export function toSourceOptions(sourceType: SourceTypeId, values: SourceOptionValues): SourceOptions {
  return Object.fromEntries(
    sourceTypes[sourceType].options
      .map(({ name }) => [name, values[name]])
      .filter(([, value]) => value !== ''),
  );
}
