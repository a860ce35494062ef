import { sourceTypeIds, sourceTypes } from '../../../src/domain/source-types/source-types.ts';

export const sourceTypeOptions = sourceTypeIds.map((value) => ({ value, label: sourceTypes[value].label }));
