import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SourceOption } from '../../../../src/domain/source-types/source-type.ts';
import { type SourceTypeId, sourceTypes } from '../../../../src/domain/source-types/source-types.ts';
import { PatternField } from '../../components/pattern-field.tsx';
import type { SourceOptionValues } from './source-option-values.ts';

interface WithOptions {
  source_options: SourceOptionValues;
}

/** Fields for the options of a source type. */
export function SourceOptionFields<Values extends WithOptions>({
  form,
  sourceType,
}: {
  form: Pick<UseFormReturnType<Values>, 'getInputProps'>;
  sourceType: SourceTypeId;
}) {
  return sourceTypes[sourceType].options.map((option) => (
    <OptionField key={option.name} option={option} {...form.getInputProps(`source_options.${option.name}`)} />
  ));
}

function OptionField({
  option: { label, description, isRequired, field },
  ...input
}: {
  option: SourceOption;
  onChange(value: unknown): void;
}) {
  switch (field.kind) {
    case 'choice':
      return (
        <Select
          label={label}
          description={description}
          data={field.choices.map(([value, text]) => ({ value, label: text }))}
          allowDeselect={false}
          {...input}
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          description={`${description} For example, ${field.placeholder}.`}
          required={isRequired}
          spellCheck={false}
          {...input}
        />
      );
    case 'pattern':
      return (
        <PatternField
          label={label}
          description={description}
          example={field.placeholder}
          samplesLabel="Sample texts"
          whenMissed="This text isn't a version."
          {...input}
        />
      );
  }
}
