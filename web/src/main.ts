/** The page begins here. */
import { mount } from 'svelte';
import './app.css';
import './dice.css';
import App from './App.svelte';
import { hall } from './lib/hall.svelte';
import { keepPage } from './lib/installed';
import { language } from './lib/language.svelte';
import { router } from './lib/router.svelte';
import { session } from './lib/session.svelte';
import { settings } from './lib/settings.svelte';

settings.start();
router.start();
await language.start(); // the first sentence is said in the reader's language, here and by the hall
hall.start();
void session.load();
keepPage();
mount(App, { target: document.getElementById('app')! });
void language.complete();
