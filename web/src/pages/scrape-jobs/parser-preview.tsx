import { Code, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { useApi } from '../../api/use-api.ts';
import { monoInput } from '../../components/mono-input.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { Mark } from '../../ui/mark.tsx';
import { parsers } from './parser-types.ts';

interface Tried {
  parser_type: keyof typeof parsers;
  parse_expression: string;
  version_transform: Schemas['VersionTransform'];
}

/** The parser at work on a text that is pasted: what it finds, or at which step it finds nothing. */
export function ParserPreview({ tried }: { tried: Tried }) {
  const { example } = parsers[tried.parser_type];
  const [content, setContent] = useState('');
  return (
    <div>
      <Textarea
        label="Try it on the file"
        description="Paste the file here. Nothing is stored and nothing is fetched."
        placeholder={example.content}
        value={content}
        onChange={({ currentTarget }) => setContent(currentTarget.value)}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        styles={monoInput}
      />
      <Text component="div" size="sm" mt={6} mih="1.6em" aria-live="polite">
        {content !== '' && tried.parse_expression.trim() !== '' && <Result tried={tried} content={content} />}
      </Text>
    </div>
  );
}

function Result({ tried, content }: { tried: Tried; content: string }) {
  const [asked] = useDebouncedValue(JSON.stringify({ ...tried, content }), 300);
  const { data, error } = useApi(
    'previewScrapeJob',
    { body: JSON.parse(asked) as Schemas['PreviewScrapeJobRequest'] },
    { keepPrevious: true },
  );
  if (error) return <ErrorNotice error={error} />;
  if (!data) return 'Looking …';
  if (!data.found) {
    return (
      <>
        <Mark tone="critical">Nothing found</Mark> {data.error?.message}
      </>
    );
  }
  return (
    <>
      <Mark tone="ok">Found</Mark> <Code>{data.version}</Code>
      {data.raw_version !== data.version && (
        <>
          {' '}
          from <Code>{data.raw_version}</Code>
        </>
      )}
    </>
  );
}
