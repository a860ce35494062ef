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
        label="Version to track"
        description="Match what you deploy: the chart version, or the version of the app inside it."
        data={[
          { value: '', label: 'Chart version' },
          { value: 'app_version', label: 'App version' },
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
        label="Version path"
        description="A string (.tag_name), a list of strings (.versions), or a string in each item (.releases[*].name)."
        placeholder=".[*].version"
        required
        spellCheck={false}
        {...form.getInputProps('source_options.version_path')}
      />
      <TextInput
        label="Date path"
        description="Must point into the same items. Without dates, Pacekeeper counts days from when it first saw a release."
        placeholder=".[*].date"
        spellCheck={false}
        {...form.getInputProps('source_options.date_path')}
      />
      <PatternField
        label="Version pattern"
        description="The version is the first capture group, or the whole match if there is none."
        placeholder="^v(.+)$"
        samplesLabel="Sample texts"
        whenMissed="This text isn't a version."
        {...form.getInputProps('source_options.version_regex')}
      />
    </>
  );
}
