import { PageHeader } from '../../ui/page-header.tsx';

export default function AlertsPage() {
  return <PageHeader title="Alerts" />;
}
