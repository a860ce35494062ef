import { PageHeader } from '../../ui/page-header.tsx';

export default function AlertConfigPage() {
  return <PageHeader title="AlertConfig" />;
}
