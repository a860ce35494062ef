import { Select, TextInput } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { fieldErrorOf } from '../../components/field-error-of.ts';
import { LabelEditor } from '../../components/label-editor.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { ParserPreview } from './parser-preview.tsx';
import { parserOptions, parsers } from './parser-types.ts';
import { SourcePreview } from './source-preview.tsx';
import { type TrackedParser, type TrackerValues, toPreviewRequest } from './tracker-values.ts';

const fileParserOptions = parserOptions.filter(({ value }) => value !== 'manual');

/** Fields for the location of a tracker's version, with a preview of its current value. */
export function TrackerFields({
  values,
  parser,
  errors,
  inputProps,
  change,
  transform,
  onVersion,
}: {
  values: TrackerValues;
  parser: TrackedParser;
  errors: FormErrors;
  inputProps: (
    field: keyof TrackerValues,
  ) => ReturnType<UseFormReturnType<Record<string, unknown>>['getInputProps']>;
  change: (changes: Partial<TrackerValues>) => void;
  /** Field for the version transform, if any. */
  transform?: React.ReactNode;
  /** Called when a preview finds a version. */
  onVersion?: (version: string) => void;
}) {
  const { source, parse_expression, version_transform } = values;
  const [chosenCount, setChosenCount] = useState(0);
  return (
    <>
      {source === 'git' && (
        <>
          <TextInput
            label="Repository"
            description="For example, https://github.com/acme/infrastructure.git."
            required
            spellCheck={false}
            {...inputProps('repository_url')}
          />
          <TextInput
            label="Branch, tag, or commit"
            description="Leave empty for the default branch."
            spellCheck={false}
            {...inputProps('ref')}
          />
          <TextInput
            label="File"
            description={`For example, ${parsers[parser].exampleFile}.`}
            required
            spellCheck={false}
            {...inputProps('target_file')}
          />
        </>
      )}
      {source !== 'git' && (
        <TextInput
          label={source === 'http' ? 'URL' : 'Prometheus server'}
          description={`For example, ${source === 'http' ? 'https://grafana.example.org/api/health' : 'https://prometheus.example.org'}.`}
          required
          spellCheck={false}
          {...inputProps('url')}
        />
      )}
      {source === 'prometheus' ? (
        <>
          <TextInput
            label="Query"
            description={
              'An instant query, such as api_build_info{namespace="shop"}. Trackers with the same server and query share one request.'
            }
            required
            spellCheck={false}
            styles={monoInput}
            {...inputProps('query')}
          />
          <TextInput
            label="Version label"
            description="The label whose value is the version."
            required
            spellCheck={false}
            {...inputProps('label')}
          />
          <LabelEditor
            // The editor keeps incomplete pairs in local state. A new key discards that state when a series is selected
            // in the preview.
            key={chosenCount}
            title="Series"
            names={/^[A-Za-z_][A-Za-z0-9_.:]*$/}
            description="Labels that the series of this tracker have. Leave empty if the query returns one version."
            value={values.series}
            onChange={(series) => change({ series })}
            error={fieldErrorOf(errors, 'series')}
          />
          <TextInput
            label="Pattern"
            description="An RE2 pattern for the label, such as ^v?(.+)$. Leave empty to use the whole label."
            spellCheck={false}
            styles={monoInput}
            {...inputProps('parse_expression')}
          />
        </>
      ) : (
        <>
          <Select
            label="Parser"
            data={fileParserOptions}
            allowDeselect={false}
            {...inputProps('parser_type')}
          />
          <TextInput
            label={parser === 'regex' ? 'Pattern' : parser === 'sbom' ? 'Package URL' : 'Path'}
            description={parsers[parser].about}
            required
            spellCheck={false}
            styles={monoInput}
            {...inputProps('parse_expression')}
          />
        </>
      )}
      {transform}
      {source === 'git' ? (
        <ParserPreview
          tried={{ parser_type: parser, parse_expression, version_transform }}
          onVersion={onVersion}
        />
      ) : (
        <SourcePreview
          tried={toPreviewRequest(values, source, parser)}
          choose={(series) => {
            change({ series });
            setChosenCount((count) => count + 1);
          }}
          onVersion={onVersion}
        />
      )}
    </>
  );
}
