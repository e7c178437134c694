// Runs in the page before the workbench (see test/host/browserHost.ts). The workbench accepts an extension under development from the
// address only if its smoke-test driver is on, which the server states in a JSON attribute of the page. This script turns the
// driver on as the page reads that attribute. Changing the response instead makes Chromium treat the page as one from the public
// network, which may not open sockets to this machine.
const getAttribute = Element.prototype.getAttribute;
Element.prototype.getAttribute = function (name) {
	const value = getAttribute.call(this, name);
	if (name !== 'data-settings' || this.id !== 'vscode-workbench-web-configuration') return value;
	const settings = JSON.parse(value);
	settings.developmentOptions = { ...settings.developmentOptions, enableSmokeTestDriver: true };
	return JSON.stringify(settings);
};
