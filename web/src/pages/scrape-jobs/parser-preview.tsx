import { Button, Code, Stack, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../../../src/generated/client-api.ts';
import { api } from '../../api/session.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { monoInput } from '../../components/mono-input.ts';
import { describeCaptureGroups } from '../../components/pattern-finding.tsx';
import { Mark } from '../../ui/mark.tsx';
import type { parsers } from './parser-types.ts';

interface Tried {
  parser_type: keyof typeof parsers;
  parse_expression: string;
  version_transform: Schemas['VersionTransform'];
}

interface Trial {
  /** Tested input, serialized to detect results of an earlier input. */
  tested: string;
  isContentGiven: boolean;
  /** Result of the pattern validation. Only for regular expressions. */
  pattern: Schemas['ValidateRegexResponse'] | null;
  preview: Schemas['PreviewScrapeJobResponse'] | null;
}

/** Tests the parser on pasted text. Shows the version that it finds, or the step that fails. */
export function ParserPreview({
  tried,
  onVersion,
}: {
  tried: Tried;
  onVersion?: ((version: string) => void) | undefined;
}) {
  const [content, setContent] = useState('');
  const tested = JSON.stringify([tried, content]);
  const trial = useMutation({
    mutationFn: () => tryParser(tried, content, tested),
    onSuccess: ({ preview }) => preview?.version != null && onVersion?.(preview.version),
  });
  const isEmpty = tried.parse_expression.trim() === '';
  return (
    <Stack gap={6}>
      <Textarea
        label="Test with file content"
        description="Paste the file content. It isn't stored or sent anywhere else."
        value={content}
        onChange={({ currentTarget }) => setContent(currentTarget.value)}
        autosize
        minRows={4}
        maxRows={14}
        spellCheck={false}
        styles={monoInput}
      />
      <Button
        variant="default"
        size="xs"
        w="fit-content"
        loading={trial.isPending}
        onClick={() => trial.mutate()}
      >
        Test
      </Button>
      <Text component="div" size="sm" aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
        {trial.error && <ErrorNotice error={trial.error} />}
        {trial.data?.tested === tested &&
          (isEmpty ? (
            <Mark tone="muted">Enter a path, a pattern, or a package URL first</Mark>
          ) : (
            <Result trial={trial.data} />
          ))}
      </Text>
    </Stack>
  );
}

/** Tests a parser. A pattern is validated first, so that its validity is known even without file content. */
async function tryParser(tried: Tried, content: string, tested: string): Promise<Trial> {
  const nothing = { tested, isContentGiven: content !== '', pattern: null, preview: null };
  if (tried.parse_expression.trim() === '') return nothing;
  const pattern =
    tried.parser_type === 'regex'
      ? await api.call('validateRegex', { body: { pattern: tried.parse_expression } })
      : null;
  if (pattern && (!pattern.valid || content === '')) return { ...nothing, pattern };
  const preview = await api.call('previewScrapeJob', { body: { ...tried, content } });
  return { ...nothing, pattern, preview };
}

function Result({ trial: { isContentGiven, pattern, preview } }: { trial: Trial }) {
  if (pattern?.valid === false) {
    return (
      <>
        <Mark tone="critical">Invalid pattern</Mark> {pattern.error}
      </>
    );
  }
  if (!isContentGiven && preview?.error?.code !== 'expression') {
    return (
      <>
        <Mark tone="ok">Valid</Mark> {pattern && `${describeCaptureGroups(pattern.group_count)} `}Paste the
        file to see what it finds.
      </>
    );
  }
  if (!preview?.found) {
    return (
      <>
        <Mark tone="critical">No version found</Mark> {preview?.error?.message}
      </>
    );
  }
  return (
    <>
      <Mark tone="ok">Found</Mark> <Code>{preview.version}</Code>
      {preview.raw_version !== preview.version && (
        <>
          {' '}
          from <Code>{preview.raw_version}</Code>
        </>
      )}
      {pattern && ` ${describeCaptureGroups(pattern.group_count)}`}
    </>
  );
}
