import { Button, Group, Input, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { errorsOf } from '../../components/errors-of.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { monoInput } from '../../components/mono-input.ts';
import { RowFields } from './row-fields.tsx';

export interface OwnPatternValues {
  /** Templates in the format `field=template`. */
  custom_extractors: { name: string; path: string; pattern: string; templates: string[] }[];
}

export function ownPatternValues({
  custom_extractors,
}: Pick<Schemas['DiscoveryJob'], 'custom_extractors'>): OwnPatternValues {
  return {
    custom_extractors: custom_extractors.map(({ templates = {}, ...rest }) => ({
      ...rest,
      templates: Object.entries(templates).map(([field, template]) => `${field}=${template}`),
    })),
  };
}

/** Converts form values to a request. Rows without a pattern are omitted. */
export function toOwnPatternRequest({ custom_extractors }: OwnPatternValues) {
  return {
    custom_extractors: custom_extractors
      .filter(({ pattern }) => pattern.trim() !== '')
      .map(({ name, path, pattern, templates }, index) => ({
        name: name.trim() === '' ? `Pattern ${index + 1}` : name.trim(),
        path: path.trim() === '' ? '*' : path.trim(),
        pattern,
        templates: Object.fromEntries(
          templates.map((text) => {
            const [field = '', ...template] = text.split('=');
            return [field.trim(), template.join('=')];
          }),
        ),
      })),
  };
}

/** Fields for patterns that find versions in files that no extractor reads, and a test for them. */
export function OwnPatternFields<FormValues extends OwnPatternValues>({
  form,
}: {
  form: UseFormReturnType<FormValues>;
}) {
  const { values, errors } = form;
  return (
    <>
      <RowFields
        label="Custom patterns"
        description="Find versions in files that Pacekeeper doesn't read. An RE2 pattern with the groups artifact and version, and templates for what the text doesn't contain."
        rowName="pattern"
        rows={values.custom_extractors}
        newRow={{ name: '', path: '', pattern: '', templates: [] }}
        maxRows={20}
        onChange={(custom_extractors) =>
          form.setValues({ custom_extractors } as Partial<OwnPatternValues> as Partial<FormValues>)
        }
        error={errors['custom_extractors']}
      >
        {(row, index, change) => {
          const field = `custom_extractors.${index}`;
          return (
            <Stack gap={6} flex={1} miw={0}>
              <Group gap="xs" wrap="nowrap" align="flex-start">
                <TextInput
                  aria-label={`Pattern ${index + 1} name`}
                  placeholder="Jsonnet images"
                  value={row.name}
                  error={errors[`${field}.name`]}
                  onChange={({ currentTarget: { value } }) => change({ name: value })}
                  flex={1}
                />
                <TextInput
                  styles={monoInput}
                  aria-label={`Pattern ${index + 1} path`}
                  placeholder="*.libsonnet"
                  value={row.path}
                  error={errors[`${field}.path`]}
                  onChange={({ currentTarget: { value } }) => change({ path: value })}
                  flex={1}
                />
              </Group>
              <TextInput
                styles={monoInput}
                aria-label={`Pattern ${index + 1} regular expression`}
                placeholder="'(?P<artifact>[^':]+):(?P<version>[^']+)'"
                value={row.pattern}
                error={errors[`${field}.pattern`]}
                onChange={({ currentTarget: { value } }) => change({ pattern: value })}
              />
              <TagsInput
                aria-label={`Pattern ${index + 1} templates`}
                placeholder={row.templates.length === 0 ? 'source_type=oci_registry' : undefined}
                value={row.templates}
                error={
                  row.templates.some((text) => !text.includes('='))
                    ? 'Use field=template.'
                    : errorsOf(errors, `${field}.templates`)
                }
                acceptValueOnBlur
                splitChars={[]}
                onChange={(templates) => change({ templates })}
              />
            </Stack>
          );
        }}
      </RowFields>
      {values.custom_extractors.length > 0 && <PatternTest values={values} />}
    </>
  );
}

const columns: readonly Column<Schemas['PreviewedItem']>[] = [
  { header: 'Artifact', cell: ({ artifact }) => artifact.name, width: 'minmax(0, 2fr)' },
  { header: 'Version', cell: ({ version, digest }) => version ?? digest, width: '10rem' },
  { header: 'Line', cell: ({ place }) => place.line, width: '5rem', align: 'end' },
];

/** Runs the patterns against a file before they're saved. */
function PatternTest({ values }: { values: OwnPatternValues }) {
  const [path, setPath] = useState('');
  const [content, setContent] = useState('');
  const preview = useAction('previewDiscovery', { quiet: true });
  const items = preview.data?.items.filter(({ extractor }) => extractor === 'custom');
  const run = () =>
    preview.mutate({ body: { files: [{ path: path.trim(), content }], ...toOwnPatternRequest(values) } });
  return (
    <Input.Wrapper
      labelElement="div"
      label="Test"
      description="Paste a file to see what the patterns find. Nothing is stored."
    >
      <Stack gap="xs" mt={4}>
        <TextInput
          aria-label="Path of the test file"
          placeholder="lib/images.libsonnet"
          value={path}
          onChange={({ currentTarget: { value } }) => setPath(value)}
        />
        <Textarea
          styles={monoInput}
          aria-label="Content of the test file"
          autosize
          minRows={3}
          maxRows={12}
          value={content}
          onChange={({ currentTarget: { value } }) => setContent(value)}
        />
        <Button
          variant="default"
          size="compact-sm"
          style={{ alignSelf: 'flex-start' }}
          disabled={path.trim() === '' || content === ''}
          loading={preview.isPending}
          onClick={run}
        >
          Test patterns
        </Button>
        {preview.error && <ErrorNotice error={preview.error} />}
        {items?.length === 0 && <Text size="sm">The patterns find no version in this file.</Text>}
        {items !== undefined && items.length > 0 && (
          <RowsTable
            items={items}
            columns={columns}
            name="found versions in the test file"
            rowKey={({ key, place }) => `${key} ${place.line}`}
          />
        )}
        {preview.data?.problems.map(({ line, message }) => (
          <Text key={`${line} ${message}`} size="sm" c="var(--text-muted)">
            Line {line}: {message}
          </Text>
        ))}
      </Stack>
    </Input.Wrapper>
  );
}
