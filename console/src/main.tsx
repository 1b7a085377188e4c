/** The console starts here. One page so far: Ask. */
import { createRoot } from 'react-dom/client'
import { AskPage } from './ask-page.tsx'
import './styles.css'

const root = document.getElementById('root')
if (root !== null) createRoot(root).render(<AskPage />)
