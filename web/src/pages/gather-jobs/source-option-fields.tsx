import { Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PatternField } from '../../components/pattern-field.tsx';
import type { SourceType } from '../../components/source-types.ts';

interface WithOptions {
  source_options: { version_field: string; version_path: string; date_path: string; version_regex: string };
}

/** What only some sources ask for. */
export function SourceOptionFields<Values extends WithOptions>({
  form,
  sourceType,
}: {
  form: Pick<UseFormReturnType<Values>, 'getInputProps'>;
  sourceType: SourceType;
}) {
  if (sourceType === 'helm_repository') {
    return (
      <Select
        label="Which version of the chart"
        description="Compare like with like: choose the application when that is the version that you deploy."
        data={[
          { value: '', label: 'The version of the chart' },
          { value: 'app_version', label: 'The version of the application in it' },
        ]}
        allowDeselect={false}
        {...form.getInputProps('source_options.version_field')}
      />
    );
  }
  if (sourceType !== 'http_json') return null;
  return (
    <>
      <TextInput
        label="Path to the versions"
        description="One text (.tag_name), a list of texts (.versions) or a text in every item (.releases[*].name)."
        placeholder=".[*].version"
        required
        spellCheck={false}
        {...form.getInputProps('source_options.version_path')}
      />
      <TextInput
        label="Path to their dates"
        description="Of the same items. Without dates, days are counted from when a release was first seen."
        placeholder=".[*].date"
        spellCheck={false}
        {...form.getInputProps('source_options.date_path')}
      />
      <PatternField
        label="Pattern within what the path gives"
        description="The first group in brackets, else the whole match, is the version."
        placeholder="^v(.+)$"
        samplesLabel="Sample texts"
        whenMissed="This text isn't a version."
        {...form.getInputProps('source_options.version_regex')}
      />
    </>
  );
}
