import { Button, Group, Input, Stack, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useAction } from '../../api/use-action.ts';
import { useApi } from '../../api/use-api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { type Column, RowsTable } from '../../components/list/index.ts';
import { monoInput } from '../../components/mono-input.ts';
import { TextLink } from '../../ui/links.tsx';
import { RowFields } from './row-fields.tsx';

/** A custom pattern in a form. Templates have the format `field=template`. */
export interface PatternRow {
  name: string;
  path: string;
  pattern: string;
  templates: string[];
}

interface CustomPatternValues {
  custom_extractors: PatternRow[];
}

export function toPatternRows(extractors: readonly Schemas['CustomExtractor'][]): PatternRow[] {
  return extractors.map(({ templates = {}, ...rest }) => ({
    ...rest,
    templates: Object.entries(templates).map(([field, template]) => `${field}=${template}`),
  }));
}

/** Converts form values to a request. Rows without a pattern are omitted. */
export function toCustomExtractors(rows: readonly PatternRow[]) {
  return rows
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
    }));
}

/** Fields for the custom patterns of a discovery job, and a test for them. Patterns of the organization apply as well. */
export function CustomPatternFields<FormValues extends CustomPatternValues>({
  form,
}: {
  form: UseFormReturnType<FormValues>;
}) {
  const settings = useApi('listEffectiveSettings');
  const shared = settings.data?.items.find(({ key }) => key === 'discovery.custom_extractors')?.value;
  const count = Array.isArray(shared) ? shared.length : 0;
  return (
    <>
      <PatternRows
        field="custom_extractors"
        rows={form.values.custom_extractors}
        errors={form.errors}
        onChange={(custom_extractors) =>
          form.setValues({ custom_extractors } as Partial<CustomPatternValues> as Partial<FormValues>)
        }
      />
      {count > 0 && (
        <Text size="sm" c="var(--text-muted)">
          {count === 1 ? '1 custom pattern' : `${count} custom patterns`} of the{' '}
          <TextLink to="/settings">organization</TextLink> {count === 1 ? 'applies' : 'apply'} as well.
        </Text>
      )}
      {form.values.custom_extractors.length + count > 0 && (
        <PatternTest
          request={() => ({ custom_extractors: toCustomExtractors(form.values.custom_extractors) })}
        />
      )}
    </>
  );
}

/** Rows for editing patterns, which find versions in files that no extractor reads. */
export function PatternRows({
  field,
  rows,
  onChange,
  errors,
}: {
  /** Form field that contains the rows. */
  field: string;
  rows: PatternRow[];
  onChange: (rows: PatternRow[]) => void;
  errors: FormErrors;
}) {
  return (
    <RowFields
      label="Custom patterns"
      description="Find versions in files that Pacekeeper doesn't read. Enter a name, a path such as *.libsonnet, an RE2 pattern with the groups artifact and version such as '(?P<artifact>[^':]+):(?P<version>[^']+)', and templates such as source_type=oci_registry for values that the file doesn't contain."
      rowName="pattern"
      rows={rows}
      newRow={{ name: '', path: '', pattern: '', templates: [] }}
      maxRows={20}
      onChange={onChange}
      error={errors[field]}
    >
      {(row, index, change) => {
        const rowField = `${field}.${index}`;
        return (
          <Stack gap={6} flex={1} miw={0}>
            <Group gap="xs" wrap="nowrap" align="flex-start">
              <TextInput
                aria-label={`Pattern ${index + 1} name`}
                placeholder="Name"
                value={row.name}
                error={errors[`${rowField}.name`]}
                onChange={({ currentTarget: { value } }) => change({ name: value })}
                flex={1}
              />
              <TextInput
                styles={monoInput}
                aria-label={`Pattern ${index + 1} path`}
                placeholder="Path"
                value={row.path}
                error={errors[`${rowField}.path`]}
                onChange={({ currentTarget: { value } }) => change({ path: value })}
                flex={1}
              />
            </Group>
            <TextInput
              styles={monoInput}
              aria-label={`Pattern ${index + 1} regular expression`}
              placeholder="Regular expression"
              value={row.pattern}
              error={errors[`${rowField}.pattern`]}
              onChange={({ currentTarget: { value } }) => change({ pattern: value })}
            />
            <TagsInput
              aria-label={`Pattern ${index + 1} templates`}
              placeholder={row.templates.length === 0 ? 'Templates (field=template)' : undefined}
              value={row.templates}
              error={
                row.templates.some((text) => !text.includes('='))
                  ? 'Use field=template.'
                  : fieldErrorOf(errors, `${rowField}.templates`)
              }
              acceptValueOnBlur
              splitChars={[]}
              onChange={(templates) => change({ templates })}
            />
          </Stack>
        );
      }}
    </RowFields>
  );
}

const columns: readonly Column<Schemas['PreviewedItem']>[] = [
  { header: 'Artifact', cell: ({ artifact }) => artifact.name, width: 'minmax(0, 2fr)' },
  { header: 'Version', cell: ({ version, digest }) => version ?? digest, width: '10rem' },
  { header: 'Pattern', cell: ({ note }) => note?.replace(/^found by /, ''), width: 'minmax(0, 1fr)' },
  { header: 'Line', cell: ({ place }) => place.line, width: '5rem', align: 'end' },
];

/** Runs the patterns against a file before they're saved. */
export function PatternTest({
  request,
}: {
  request: () => Omit<Schemas['PreviewDiscoveryRequest'], 'files' | 'label_rules'>;
}) {
  const [path, setPath] = useState('');
  const [content, setContent] = useState('');
  const preview = useAction('previewDiscovery', { quiet: true });
  const items = preview.data?.items.filter(({ extractor }) => extractor === 'custom');
  const run = () => preview.mutate({ body: { files: [{ path: path.trim(), content }], ...request() } });
  return (
    <Input.Wrapper
      labelElement="div"
      label="Test"
      description="Paste a file to see what the patterns find. Nothing is stored."
    >
      <Stack gap="xs" mt={4}>
        <TextInput
          aria-label="Path of the test file"
          placeholder="Path"
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
        {items?.length === 0 && <Text size="sm">No versions found in this file.</Text>}
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
