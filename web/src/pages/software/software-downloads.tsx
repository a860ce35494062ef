import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/session.ts';
import { showError } from '../../api/use-action.ts';
import { downloadText } from '../../ui/download-text.ts';

const documents = [
  {
    operation: 'exportSoftwareBom',
    label: 'Export CycloneDX',
    contents: 'All software',
    file: 'software.cdx.json',
  },
  {
    operation: 'exportIgnoredVulnerabilities',
    label: 'Export OpenVEX',
    contents: 'Ignored vulnerabilities of all software',
    file: 'ignored.openvex.json',
  },
] as const;

/**
 * Buttons that download all software, and the vulnerabilities that are ignored, as documents for other tools. Of the
 * filters of the list, only the label applies.
 */
export function SoftwareDownloads({ label }: { label: string | undefined }) {
  const [running, setRunning] = useState<string | null>(null);
  const download = async ({ operation, file }: (typeof documents)[number]) => {
    setRunning(operation);
    try {
      const document = await api.call(operation, { query: label === undefined ? {} : { label } });
      downloadText(file, `${JSON.stringify(document, null, 2)}\n`, 'application/json');
    } catch (error) {
      showError(error);
    } finally {
      setRunning(null);
    }
  };
  return documents.map((each) => (
    <Button
      key={each.operation}
      variant="subtle"
      size="compact-sm"
      title={label === undefined ? each.contents : `${each.contents} with the label ${label}`}
      leftSection={<IconDownload size={14} />}
      loading={running === each.operation}
      onClick={() => void download(each)}
    >
      {each.label}
    </Button>
  ));
}
