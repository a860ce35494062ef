import { PageHeader } from '../../ui/page-header.tsx';

export default function AlertConfigsPage() {
  return <PageHeader title="AlertConfigs" />;
}
